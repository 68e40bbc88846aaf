// The older TypeScript client, @modelcontextprotocol/sdk, which most agents still
// embed: initialize first, and outputSchema is validated even when isError is set.

import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PROTOCOLS, callsFor, checkResult, endpoint, stdioCommand } from './common.mjs';

const [protocol] = process.argv.slice(2);
const { version, tools } = PROTOCOLS[protocol];
const [command, ...args] = stdioCommand(protocol);

for (const [name, transport] of [
  ['http', new StreamableHTTPClientTransport(new URL(endpoint(protocol)))],
  ['stdio', new StdioClientTransport({ command, args, stderr: 'inherit' })],
]) {
  const client = new Client({ name: 'judge', version: '1' });
  await client.connect(transport);
  await client.ping();
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), tools);
  for (const call of callsFor(protocol)) {
    checkResult(call, await client.callTool({ name: call.tool, arguments: call.arguments }), version);
    console.log(`${name} ${call.tool}: ok`);
  }
  await client.close();
}
