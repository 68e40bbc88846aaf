"""The Python client `mcp` 2: it finds the stateless revision by itself.

Every tool over HTTP, then over stdio; the client validates each outputSchema.
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from python_calls import TOOLS, calls, check, endpoint, stdio_command


async def every_tool(name, protocol, target):
    async with Client(target) as client:
        assert client.protocol_version == "2026-07-28", client.protocol_version
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert listed == TOOLS[protocol], listed
        for tool, arguments, call in calls(protocol):
            result = await client.call_tool(tool, arguments)
            check(protocol, call, result.is_error, result.structured_content, result.content)
            print(f"{name} {protocol} {tool}: ok")


async def main(protocol):
    await every_tool("http", protocol, endpoint(protocol))
    command, args = stdio_command(protocol)
    await every_tool("stdio", protocol, stdio_client(StdioServerParameters(command=command, args=args)))


asyncio.run(main(sys.argv[1]))
