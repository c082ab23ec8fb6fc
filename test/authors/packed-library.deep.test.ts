import { existsSync, readdirSync } from 'node:fs'
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outputOf } from '../../build/programs/programs.ts'
import { readExports } from '../../docs/read-exports.ts'
import { freePort } from '../real/free-port.ts'
import { commandsIn } from './console-blocks.ts'
import { type PackedLibrary, packLibrary } from './packed-library.ts'
import { exampleFiles } from './reference-examples.ts'
import { tutorialShell } from './tutorial-shell.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const samples = `${root}examples/authors/`

let packed: PackedLibrary
beforeAll(async () => {
  packed = await packLibrary()
})
afterAll(() => packed.remove())

const nodeIn = (folder: string, ...args: readonly string[]) =>
  outputOf(process.execPath, args, { cwd: folder })

describe.each(readdirSync(samples))('the project examples/authors/%s', sample => {
  const project = () => join(packed.folder, 'samples', sample)
  beforeAll(async () => {
    await cp(join(samples, sample), project(), { recursive: true })
    await packed.install(project())
  })

  test('passes the type check', async () => {
    expect(await nodeIn(project(), 'node_modules/typescript/bin/tsc')).toBe('')
  })

  test('passes its tests', async () => {
    const said = await nodeIn(project(), '--test', '--test-reporter=tap', 'functions/**/*.test.ts')
    expect(said).toMatch(/^# pass ([5-9]|1\d)$/m)
    expect(said).toMatch(/^# fail 0$/m)
  })
})

test('an author of DNS over HTTP writes at most 120 lines', async () => {
  const folder = `${samples}powerdns/functions/powerdns/dnsrecord/`
  const texts = await Promise.all(['function.ts', 'powerdns.ts'].map(name => readFile(folder + name, 'utf8')))
  expect(texts.join('').split('\n').length - 1).toBeLessThanOrEqual(120)
})

test.each([
  ['alerts', 150, 'a referenced Secret'],
  ['audit', 200, 'a CA, an image vector and health'],
])('the author of %s writes at most %d lines for %s', async (name, lines) => {
  const text = await readFile(`${samples}extension/functions/acme/${name}/function.ts`, 'utf8')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(lines)
})

test('every link of a packed page leads to a packed file', async () => {
  const broken: string[] = []
  let links = 0
  for await (const page of glob('{*,docs/**/*,examples/**/*}.md', { cwd: packed.library })) {
    const text = await readFile(join(packed.library, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      links++
      if (!existsSync(join(packed.library, dirname(page), target))) broken.push(`${page}: ${target}`)
    }
  }
  expect(broken).toEqual([])
  expect(links).toBeGreaterThan(200)
})

test('the examples of the reference have correct types', async () => {
  const project = join(packed.folder, 'reference')
  await mkdir(project)
  await packed.install(project)
  // A dependency of the library, with which authors write schemas.
  await symlink(join(root, 'node_modules/zod'), join(project, 'node_modules/zod'))
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await cp(join(samples, 'powerdns/tsconfig.json'), join(project, 'tsconfig.json'))
  const files = exampleFiles(await readExports())
  expect(Object.keys(files).length).toBeGreaterThan(40)
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
  const options = ['--noUnusedLocals', 'false']
  await writeFile(
    join(project, 'tsconfig.examples.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['*.ts'] }),
  )
  const said = await nodeIn(
    project,
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.examples.json',
    ...options,
  )
  expect(said).toBe('')
}, 120_000)

test('an author who checks the types of libraries needs only those of ws, which a dependency of client-node lacks', async () => {
  const project = join(packed.folder, 'strict')
  await mkdir(project)
  await packed.install(project)
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter(entry => !entry.endsWith('.json'))
  expect(entries.length).toBeGreaterThan(10)
  const imports = entries.map(
    (entry, index) => `export * as e${index} from '@trellis-gardener/trellis${entry.slice(1)}'\n`,
  )
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await writeFile(join(project, 'entries.ts'), imports.join(''))
  // Stands for @types/ws.
  const wsTypes =
    'class WebSocket {} namespace WebSocket { class WebSocket {} interface ClientOptions {} } export = WebSocket'
  await writeFile(join(project, 'ws.d.cts'), `declare module 'ws' { ${wsTypes} }\n`)
  const config = {
    extends: join(samples, 'powerdns/tsconfig.json'),
    compilerOptions: { skipLibCheck: false, typeRoots: [join(project, 'node_modules/@types')] },
    include: ['*.ts', '*.cts'],
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
  expect(await nodeIn(project, 'node_modules/typescript/bin/tsc')).toBe('')
}, 120_000)

test('the commands for authors in the help work', async () => {
  const project = join(packed.folder, 'help')
  await mkdir(project)
  await packed.install(project)
  const dependencies = { '@trellis-gardener/trellis': `file:${packed.tarball}` }
  await writeFile(join(project, 'package.json'), JSON.stringify({ dependencies }))
  const trellis = (...args: readonly string[]) =>
    nodeIn(project, 'node_modules/@trellis-gardener/trellis/cli/trellis.mjs', ...args)
  const examplesOf = async (command: string) =>
    [...(await trellis(command, '--help')).matchAll(/^ {2}trellis (.*)$/gm)].map(([, line = '']) =>
      line.split(' '),
    )

  for (const create of await examplesOf('new'))
    expect(await trellis(...create)).toContain('functions/acme/dnsrecord/function.ts')
  await cp(join(project, 'functions/acme/dnsrecord'), join(project, 'my-function'), { recursive: true })
  await cp(join(project, 'my-function/example.yaml'), join(project, 'record.yaml'))
  const plans = (await examplesOf('plan')).filter(args => args.includes('./my-function'))
  expect(plans.length).toBe(2)
  for (const args of plans) expect(await trellis(...args)).toMatch(/^(?:Plan: |Nothing to do)/m)

  const shell = tutorialShell({ ...packed, folder: project }, async () => {})
  const dev = (await examplesOf('dev')).filter(args => args.includes('./my-function'))
  expect(dev.length).toBe(1)
  for (const args of dev) {
    const output = ['…', '…DNSRecord shoot--garden--rose/rose-external: Succeeded, …']
    await shell.run({ command: `node_modules/.bin/trellis ${args.join(' ')} &`, output })
  }
  await shell.close()
  expect(await trellis('replay', 'my.journal', '--function', './my-function')).toMatch(
    /^outcome {5}succeeded/m,
  )
})

test('the commands of docs/authors.md print what the page shows', async () => {
  // The page names a fixed port, which another program may use.
  const port = String(await freePort())
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const withPort = (text: string) =>
    text
      .replaceAll(base64('http://127.0.0.1:8081'), base64(`http://127.0.0.1:${port}`))
      .replaceAll('8081', port)
  const edit = async (project: string) => {
    for await (const name of glob('functions/**/{fake-*.ts,example.yaml}', { cwd: project })) {
      const file = join(project, name)
      await writeFile(file, withPort(await readFile(file, 'utf8')))
    }
  }
  const shell = tutorialShell(packed, edit)
  const commands = commandsIn(withPort(await readFile(`${root}docs/authors.md`, 'utf8')))
  expect(commands.length).toBeGreaterThan(12)
  try {
    for (const shown of commands) await shell.run(shown)
  } finally {
    await shell.close()
  }
})
