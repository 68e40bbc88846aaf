// The TypeScript client, @modelcontextprotocol/client: `typescript_client.mjs
// PROTOCOL MODE`. Mode `auto` finds the stateless revision by server/discover,
// `legacy` begins with initialize. The client validates every outputSchema.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROTOCOLS, callsFor, checkResult, endpoint, stdioCommand } from './common.mjs';

const [protocol, mode] = process.argv.slice(2);
const { version, tools } = PROTOCOLS[protocol];
const [command, ...args] = stdioCommand(protocol);

for (const [name, transport] of [
  ['http', new StreamableHTTPClientTransport(new URL(endpoint(protocol)))],
  ['stdio', new StdioClientTransport({ command, args, stderr: 'inherit' })],
]) {
  const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), tools);
  for (const call of callsFor(protocol)) {
    checkResult(call, await client.callTool({ name: call.tool, arguments: call.arguments }), version);
    console.log(`${name} ${call.tool}: ok`);
  }
  await client.close();
}
