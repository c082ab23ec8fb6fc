import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import { lateSchemas, withLateSchemas } from './late-schemas.ts'

test.each(['kinds', 'machine-kinds', 'resource-kinds'])('every schema of %s.ts is late', name => {
  const source = readFileSync(new URL(`../../../shared/contract/${name}.ts`, import.meta.url), 'utf8')
  const late = withLateSchemas(source)
  expect(source).toMatch(/schema: \w+Schema,/)
  expect(late).not.toMatch(/schema: \w+Schema,/)
  expect(late).not.toMatch(/from '\.\/schemas\//)
})

test('a late schema parses like the original, and only used ones are created', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { kinds, kindNames } from './shared/contract/kinds.ts'
        module.exports = kinds`,
      resolveDir: new URL('../../..', import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    plugins: [lateSchemas],
  })
  const module = { exports: {} as typeof kinds }
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(module, module.exports, () => ({}))
  const late = module.exports.DNSRecord.schema
  for (const value of [
    {},
    { apiVersion: 'v1', kind: 'DNSRecord', metadata: { name: 'a' }, spec: { type: 'b' } },
  ]) {
    const messages = (schema: typeof late) =>
      schema.safeParse(value).error?.issues.map(({ path, message }) => [path, message])
    expect(messages(late)).toEqual(messages(kinds.DNSRecord.schema))
  }
  expect(Object.keys(late.shape.spec.shape)).toEqual(Object.keys(kinds.DNSRecord.schema.shape.spec.shape))
})
