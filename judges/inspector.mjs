// The MCP Inspector's command line: `inspector.mjs PROTOCOL ERA TRANSPORT`, such
// as `ucp modern stdio`. The list is linted with --strict; then every tool is
// called, and the Inspector itself validates each answer's outputSchema.

import assert from 'node:assert/strict';
import { PROTOCOLS, callsFor, checkResult, endpoint, run, stdioCommand } from './common.mjs';

// The Inspector's exit code for a result with isError.
const TOOL_ERROR = 5;

const [protocol, era, transport] = process.argv.slice(2);
const { version, tools } = PROTOCOLS[protocol];

async function inspect(...options) {
  const target = transport === 'stdio' ? [] : [endpoint(protocol), '--transport', 'http'];
  const server = transport === 'stdio' ? ['--', ...stdioCommand(protocol)] : [];
  return run('mcp-inspector', ['--cli', ...target, '--protocol-era', era, '--format', 'json', ...options, ...server]);
}

const list = await inspect('--method', 'tools/list', '--strict');
console.log(list.stderr);
assert.equal(list.code, 0, `tools/list --strict: exit code ${list.code}`);
assert.deepEqual(names(JSON.parse(list.stdout)), tools);

for (const call of callsFor(protocol)) {
  const answer = await inspect('--method', 'tools/call', '--tool-name', call.tool, '--tool-args-json', JSON.stringify(call.arguments));
  assert.equal(answer.code, call.errors ? TOOL_ERROR : 0, `${call.tool}: exit code ${answer.code}: ${answer.stderr}`);
  checkResult(call, unwrapped(JSON.parse(answer.stdout)), version);
  console.log(`${call.tool}: ok`);
}

function names(listed) {
  return unwrapped(listed).tools.map((tool) => tool.name);
}

function unwrapped(printed) {
  return printed.result ?? printed;
}
