"""The Python client `mcp` 1: initialize first, a session for all the calls.

Every tool over HTTP, then over stdio; the client validates each outputSchema.
"""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from python_calls import TOOLS, calls, check, endpoint, stdio_command


async def every_tool(name, protocol, read, write):
    async with ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.protocolVersion == "2025-11-25", hello.protocolVersion
        await session.send_ping()
        listed = [tool.name for tool in (await session.list_tools()).tools]
        assert listed == TOOLS[protocol], listed
        for tool, arguments, call in calls(protocol):
            result = await session.call_tool(tool, arguments)
            check(protocol, call, result.isError, result.structuredContent, result.content)
            print(f"{name} {protocol} {tool}: ok")


async def main(protocol):
    async with streamablehttp_client(endpoint(protocol)) as (read, write, _):
        await every_tool("http", protocol, read, write)
    command, args = stdio_command(protocol)
    async with stdio_client(StdioServerParameters(command=command, args=args)) as (read, write):
        await every_tool("stdio", protocol, read, write)


asyncio.run(main(sys.argv[1]))
