// The UCP command line, @shopify/ucp-cli: what a shopping agent does, once as a
// platform of 2026-08-25 and once as one of 2026-04-08. It writes its own agent
// profiles; they are published here, on loopback, as they would be on the web.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { origin, run } from './common.mjs';

const VERSIONS = ['2026-08-25', '2026-04-08'];
const UCP_HOME = join(process.env.JUDGES_WORK, 'ucp-home');
const ENV = { ...process.env, UCP_HOME, UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true' };

const web = createServer((request, response) => {
  const version = VERSIONS.find((version) => request.url === `/${version}/agent.json`);
  if (!version) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' });
  response.end(readFileSync(join(UCP_HOME, 'profiles', version, 'profile.json')));
});
await new Promise((listening) => web.listen(0, '127.0.0.1', listening));
const agent = (version) => `http://127.0.0.1:${web.address().port}/${version}/agent.json`;

rmSync(UCP_HOME, { recursive: true, force: true });
try {
  for (const version of VERSIONS) {
    await ucp('profile', 'init', '--name', version, '--version', version, '--profile-url', agent(version), '--activate');
    await tour(version);
    console.log(`${version}: ok`);
  }
} finally {
  web.close();
}

async function tour(version) {
  const { checks } = await ucp('doctor');
  assert.deepEqual(checks.filter((check) => check.status !== 'ok'), [], 'doctor');

  const { result } = await ucp('discover', origin);
  assert.equal(result.protocol.version, version);
  assert.equal(result.protocol.source, version === VERSIONS[0] ? 'well-known' : 'supported_versions');
  const { tools } = result.negotiated['dev.ucp.shopping'];
  assert.deepEqual(Object.keys(tools).filter((name) => name.endsWith('_catalog') || name === 'get_product').sort(), [
    'get_product',
    'lookup_catalog',
    'search_catalog',
  ]);

  const found = await catalog(version, 'search', { query: 'tênis de corrida', pagination: { limit: 3 } });
  assert.equal(found.products[0].id, 'prod_corredor_pro');

  // To the end of a browse, page by page: nothing twice (rule C7).
  const seen = [];
  let pagination = { limit: 50 };
  do {
    const page = await catalog(version, 'search', { query: '*', pagination });
    seen.push(...page.products.map((product) => product.id));
    assert.equal(page.pagination.total_count, 86);
    pagination = page.pagination.has_next_page && { limit: 50, cursor: page.pagination.cursor };
  } while (pagination);
  assert.equal(new Set(seen).size, 86);
  assert.equal(seen.length, 86);

  const looked = await catalog(version, 'lookup', { ids: ['prod_corredor_pro', 'var_trilha_verde_43'] });
  assert.deepEqual(looked.products.map((product) => product.id), ['prod_corredor_pro', 'prod_trilha_mestre_x']);
  assert.deepEqual(looked.products[1].variants[0].inputs, [{ id: 'var_trilha_verde_43', match: 'exact' }]);

  const selected = [{ name: 'Cor', label: 'Preto' }];
  const { product } = await catalog(version, 'get_product', { selected }, 'prod_camiseta_algodao');
  assert.equal(product.id, 'prod_camiseta_algodao');
  assert.equal(product.selected[0].label, 'Preto');

  const { messages } = await catalog(version, 'get_product', {}, 'no_such_id');
  assert.equal(messages[0].code, 'not_found');
}

async function catalog(version, operation, input, ...ids) {
  const answer = await ucp('catalog', operation, ...ids, '--business', origin, '--input', JSON.stringify(input));
  assert.equal(answer.ucp.version, version, `catalog ${operation}: ucp.version`);
  return answer.result;
}

async function ucp(...args) {
  const { code, stdout, stderr } = await run('ucp', [...args, '--format', 'json'], ENV);
  assert.equal(code, 0, `ucp ${args.join(' ')}: exit code ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}
