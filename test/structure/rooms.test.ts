import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { brokenFaces, type Room, readRooms, strayImports, topLevelCycles } from './rooms.ts'
import { circlesOf, sourceImports } from './source-imports.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const tree = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'trellis-structure-'))
  folders.push(root)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const garden: Room = { folder: 'garden', face: ['garden.ts', 'pages/*.ts'], for: 'plants' }
const shed: Room = { folder: 'garden/shed', face: ['shed.ts'], for: 'tools' }
const inside = {
  'garden/garden.ts': "export { a } from './a.ts'\n",
  'garden/a.ts': 'export const a = 1\n',
  'garden/pages/page.ts': 'export const page = 1\n',
  'garden/testing/fake.ts': 'export const fake = 1\n',
  'garden/shed/shed.ts': 'export const shed = 1\n',
  'garden/shed/saw.ts': 'export const saw = 1\n',
}
const broken = (files: Readonly<Record<string, string>>) =>
  brokenFaces([garden, shed], sourceImports(tree({ ...inside, ...files })).imports)

describe('the face of a room', () => {
  test('is what others import', () => {
    expect(
      broken({
        'house.ts': "import { a } from './garden/garden.ts'\nimport { page } from './garden/pages/page.ts'\n",
      }),
    ).toEqual([])
  })

  test.each([
    ['an import', "import { b } from './b.ts'\nimport { a } from './garden/a.ts'\n", 2],
    ['an import of a type', "import type { a } from './garden/a.ts'\n", 1],
    ['an import over several lines', "import {\n  a,\n} from './garden/a.ts'\n", 3],
    ['a re-export', "export { a } from './garden/a.ts'\n", 1],
    ['an import while running', "const load = () =>\n  import('./garden/a.ts')\n", 2],
    ['an import for its effect', "import './garden/a.ts'\n", 1],
  ])('is not bypassed by %s', (_, text, line) => {
    expect(broken({ 'b.ts': '', 'house.ts': text })).toEqual([
      `house.ts:${line}: garden/a.ts is inside of garden; import garden/garden.ts or garden/pages/*.ts`,
    ])
  })

  test('does not separate the files of its folder', () => {
    expect(broken({ 'garden/b.ts': "import { a } from './a.ts'\n" })).toEqual([])
  })

  test('of an inner folder is imported by the outer folder and all others', () => {
    const text = "import { saw } from './garden/shed/saw.ts'\nimport { shed } from './garden/shed/shed.ts'\n"
    const near = text.replaceAll('./garden/', './/')
    expect(broken({ 'house.ts': text, 'garden/b.ts': near })).toEqual([
      'garden/b.ts:1: garden/shed/saw.ts is inside of garden/shed; import garden/shed/shed.ts',
      'house.ts:1: garden/shed/saw.ts is inside of garden/shed; import garden/shed/shed.ts',
    ])
  })

  test('does not prevent tests from loading a single file', () => {
    const text = "const load = () => import('./garden/a.ts')\n"
    expect(broken({ 'house.test.ts': text })).toEqual([])
  })

  test('does not prevent tests from importing test support', () => {
    const text = "import { fake } from './garden/testing/fake.ts'\n"
    expect(broken({ 'house.test.ts': text })).toEqual([])
    expect(broken({ 'house.ts': text })).toHaveLength(1)
  })
})

describe('import cycles', () => {
  test('are found, including those of types, one for each cyclic group', () => {
    const root = tree({
      'a.ts': "import type { b } from './b.ts'\n",
      'b.ts': "import { c } from './c.ts'\n",
      'c.ts': "import { a } from './a.ts'\n",
      'd.ts': "import { a } from './a.ts'\nimport { e } from './e.ts'\n",
      'e.ts': "import { d } from './d.ts'\n",
    })
    expect(circlesOf(sourceImports(root))).toEqual([
      ['a.ts', 'b.ts', 'c.ts'],
      ['d.ts', 'e.ts'],
    ])
  })
})

describe('folders of the top level', () => {
  const imports = (...pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([file, target]) => ({ file, line: 1, target, whileRunning: false }))

  test('form a cycle if each imports the other, over a third folder too', () => {
    expect(topLevelCycles(imports(['a/x.ts', 'b/x.ts'], ['b/y.ts', 'c/x.ts'], ['c/y.ts', 'a/y.ts']))).toEqual(
      [['a', 'b', 'c']],
    )
  })

  test('form no cycle by imports of tests', () => {
    expect(topLevelCycles(imports(['a/x.ts', 'b/x.ts'], ['b/x.test.ts', 'a/x.ts']))).toEqual([])
  })
})

describe('a function', () => {
  const strays = (file: string, target: string) =>
    strayImports(
      [{ folder: 'functions/acme/bucket/s3', face: ['s3.ts'], for: 'buckets' }],
      [{ file, line: 1, target, whileRunning: false }],
    )

  test.each([
    ['its own files', 'functions/acme/entry/actuator.ts'],
    ['the room that its provider shares', 'functions/acme/provider/client.ts'],
    ['a room of another kind of its provider', 'functions/acme/bucket/s3/s3.ts'],
    ['shared', 'shared/clock/clock.ts'],
    ['terraform-free-infra', 'terraform-free-infra/engine/engine.ts'],
    ['an entry of the library', 'build/library/trellis.ts'],
  ])('may import %s', (_, target) => {
    expect(strays('functions/acme/entry/function.ts', target)).toEqual([])
  })

  test.each([
    ['another kind', 'functions/acme/bucket/actuator.ts'],
    ['another provider', 'functions/other/provider/client.ts'],
    ['the sandbox', 'sandbox/seed/seed.ts'],
    ['the program that builds the library', 'build/library/build.ts'],
    ['the bridge', 'bridge/bridge.ts'],
  ])('may not import %s', (_, target) => {
    expect(strays('functions/acme/entry/function.ts', target)).toEqual([
      `functions/acme/entry/function.ts:1: a function may not import ${target}`,
    ])
  })
})

describe('this repository', () => {
  const root = new URL('../..', import.meta.url).pathname
  const { files, imports } = sourceImports(root)

  test('has a face for each folder of the table', () => {
    for (const { folder, face } of readRooms(root)) {
      for (const name of face) {
        if (!name.includes('*'))
          expect(files, `test/structure/rooms.json: ${folder}`).toContain(`${folder}/${name}`)
      }
    }
  })

  test('imports only the face of each folder', () => {
    expect(brokenFaces(readRooms(root), imports)).toEqual([])
  })

  test('has no import cycle between folders of the top level', () => {
    expect(topLevelCycles(imports)).toEqual([])
  })

  test('imports nothing of another provider or kind in a function, except the face of a room', () => {
    expect(strayImports(readRooms(root), imports)).toEqual([])
  })

  test('imports nothing of the benchmarks from elsewhere', () => {
    const isBench = (file: string) => file.startsWith('test/bench/')
    expect(imports.filter(({ file, target }) => isBench(target) && !isBench(file))).toEqual([])
  })

  test('has more than a few imports to check', () => {
    expect(imports.length).toBeGreaterThan(2_000)
  })
})
