// Drives a server with the official TypeScript client, as it is: connect, list, call, and answer what is asked.
// usage: node typescript.mjs URL TOKEN 2026-07-28|legacy
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, token, era] = process.argv.slice(2);
const fill = { string: 'Alice', boolean: true };

const client = new Client({ name: 'conformance', version: '1.0.0' }, {
  capabilities: { elicitation: {} },
  versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } },
});
client.setRequestHandler('elicitation/create', request => {
  const fields = Object.entries(request.params.requestedSchema.properties);
  return { action: 'accept', content: Object.fromEntries(fields.map(([name, field]) => [name, fill[field.type]])) };
});
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const ok = (what, ...words) => console.log('  ok ', what.padEnd(11), ...words);

await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: { token: async () => token } }));
ok('connect', client.getNegotiatedProtocolVersion(), client.getServerVersion().name);
const { tools } = await client.listTools();
assert(tools.some(tool => tool.name === 'test_simple_text'));
ok('list', tools.length, 'tools');
const simple = await call('test_simple_text');
assert(simple.content[0].text && !simple.isError);
assert((await call('test_error_handling')).isError);
ok('call', simple.content[0].text);
if (era === 'legacy') {
  assert.equal(client.getNegotiatedProtocolVersion(), '2025-06-18');
} else {
  for (const name of ['elicitation', 'multi_round']) {
    ok('asked', (await call(`test_input_required_result_${name}`)).content[0].text);
  }
  const repeated = await call('test_x_mcp_header', { region: 'São Paulo' });
  assert.equal(repeated.content[0].text, 'region=São Paulo');
  ok('parameter', repeated.content[0].text);
}
await client.close();
