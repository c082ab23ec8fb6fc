import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFunctions } from '../../../functions/find-functions.ts'
import { besideFiles, bundle } from './bundle.ts'
import { functionProgram } from './programs.ts'

let folder = ''
let kubeconfig = ''
let inputs: readonly string[] = []
const out = (name: string) => join(folder, `${name}.cjs`)
let program: { readonly name: string; readonly file: string }

beforeAll(async () => {
  const [first] = await findFunctions()
  if (first === undefined) throw new Error('there is no function')
  program = first
  folder = await mkdtemp(join(tmpdir(), 'trellis-bundle-'))
  kubeconfig = join(folder, 'kubeconfig')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
      contexts: [{ name: 'one', context: { cluster: 'c' } }],
      'current-context': 'one',
    }),
  )
  const metafile = await bundle({
    source: functionProgram(program.file),
    out: out(program.name),
  })
  inputs = Object.keys(metafile.inputs)
})
afterAll(() => rm(folder, { recursive: true }))

/** Starts the function with the kubeconfig. Stops it as soon as it serves, unless it exits first. */
const start = async (): Promise<{ readonly served: boolean; readonly said: string }> => {
  const child = spawn(process.execPath, [out(program.name)], {
    env: { KUBECONFIG: kubeconfig, TRELLIS_PORT: '0', TRELLIS_ADDRESS: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let served = false
  child.stdout.setEncoding('utf8').on('data', (lines: string) => {
    if (!lines.includes('"listening"')) return
    served = true
    child.kill('SIGTERM')
  })
  return { said: await text(child.stderr), served }
}

test('a plugin of the caller is applied before those of every program', async () => {
  const file = out('plugin')
  const setup: Plugin['setup'] = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:http$/ }, () => ({ path: 'http', namespace: 'replaced' }))
    onLoad({ filter: /./, namespace: 'replaced' }, () => ({ contents: 'export const replaced = 1' }))
  }
  await bundle({
    source: { stdin: { contents: `import { replaced } from 'node:http'\nconsole.log(replaced)` } },
    out: file,
    plugins: [{ name: 'replace', setup }],
  })
  expect(await readFile(file, 'utf8')).not.toContain('node:http')
})

describe('the bundle of a function', () => {
  test('contains the CloudEvents SDK without Kafka, MQTT and the parser that replaces the global JSON', () => {
    expect(inputs).toContain('node_modules/cloudevents/dist/message/http/index.js')
    const others = ['json-bigint/', 'cloudevents/dist/message/kafka/', 'cloudevents/dist/message/mqtt/']
    expect(inputs.filter(input => others.some(name => input.includes(`node_modules/${name}`)))).toEqual([])
  })

  test('contains no code that only a kubeconfig or an export of spans needs', () => {
    const packages = [
      ...['@kubernetes/client-node', 'undici', 'js-yaml', 'jsonpath-plus', 'socks', 'hpagent'],
      '@opentelemetry/sdk-trace',
    ]
    expect(inputs.some(input => input.includes('node_modules/@aws-sdk/'))).toBe(true)
    expect(inputs.filter(input => packages.some(name => input.includes(`node_modules/${name}/`)))).toEqual([])
  })

  test('has no domain, whose hooks would run at each promise of an event', async () => {
    expect(inputs).toContain('without-domains:domain')
    expect(await readFile(out(program.name), 'utf8')).not.toMatch(/require\("(?:node:)?domain"\)/)
  })

  test('imports nothing through the loader of ES modules', async () => {
    expect(await readFile(out(program.name), 'utf8')).not.toMatch(/\bimport\(/)
  })

  test('reports a missing file beside it in one sentence, and serves once it exists', async () => {
    expect(await start()).toEqual({
      said: `${program.name}: the reader of kubeconfigs is missing beside this program: Cannot find module './kubeconfig.cjs'\n`,
      served: false,
    })
    await bundle({ source: { entryPoints: [besideFiles['kubeconfig.cjs']] }, out: out('kubeconfig') })
    expect(await start()).toEqual({ said: '', served: true })
  })
})
