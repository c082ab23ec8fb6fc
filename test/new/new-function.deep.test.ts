import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadGiven } from '../../cli/author/load-given.ts'
import type { NewFunction } from '../../cli/new/new-arguments.ts'
import { type WrittenFunction, writeNewFunction } from '../../cli/new/new-function.ts'
import { plan } from '../../cli/plan/testing/plan-run.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import { checkFunctions } from '../check/check-functions.ts'
import { emptyClone, linkLibrary, type ProjectFolder } from './project-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules', name)

/** Returns the output of a program. An error has it in its message. */
const run = async (folder: string, file: string, ...args: readonly string[]): Promise<string> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder })
    return `${stdout}${stderr}`
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${file} ${args.join(' ')}: ${stdout}${stderr}`)
  }
}

/** Names with other lengths than in the template, so that lines break elsewhere. */
const longNamed = (kind: NewFunction['kind']): NewFunction => ({
  provider: 'somewhere',
  kind,
  name: `somewhere-far-away-${kind.toLowerCase()}`,
  type: 'somewhere-far-away',
  classes: ['shoot'],
})

const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
  )

describe('a function of every kind, generated in a clone', () => {
  let clone: ProjectFolder
  const written: WrittenFunction[] = []
  beforeAll(async () => {
    clone = await emptyClone()
    for (const kind of kindNames)
      written.push(await writeNewFunction(longNamed(kind), { here: clone.folder }))
  })
  afterAll(() => clone.remove())

  test('is one folder with function, actuator, test, example and event', async () => {
    expect(written.map(({ place }) => place)).toEqual(kindNames.map(() => 'clone'))
    for (const { folder, files } of written) {
      expect(files.map(file => file.slice(folder.length + 1))).toEqual(
        expect.arrayContaining([
          'function.ts',
          'actuator.ts',
          'actuator.test.ts',
          'example.yaml',
          'event.json',
        ]),
      )
      expect((await readdir(join(clone.folder, folder))).length).toBe(files.length)
    }
    expect((await readdir(join(clone.folder, 'functions/somewhere'))).length).toBe(kindNames.length)
  })

  test('passes types, lint and the checks of functions', async () => {
    expect(
      await run(clone.folder, bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', 'functions'),
    ).toMatch(/No fixes applied/)
    await writeFile(
      join(clone.folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['functions/**/*.ts'] }),
    )
    expect(await run(clone.folder, bin('typescript/bin/tsc'), '-p', '.')).toBe('')
    expect(await checkFunctions(join(clone.folder, 'functions'))).toEqual([])
  })

  test('passes its own tests', async () => {
    // This copy lacks vitest.config.ts with its limits. vitest's own limits are 5 and 10 s.
    const limits = ['--testTimeout=300000', '--hookTimeout=300000']
    const said = await run(
      clone.folder,
      bin('vitest/vitest.mjs'),
      'run',
      '--root',
      '.',
      ...limits,
      'functions/somewhere',
    )
    expect(said).toMatch(/12 passed/)
  })

  test.each(kindNames)('has a plan while Kubernetes is its cloud: %s', async kind => {
    const folder = join(clone.folder, 'functions/somewhere', kind.toLowerCase())
    const { text } = await plan([join(folder, 'example.yaml')], {
      providers: [],
      functions: await loadGiven([folder]),
    })
    expect(text).toMatch(/^Plan: /m)
  })

  test('does not mention its template', async () => {
    for (const file of await filesOf(join(clone.folder, 'functions')))
      expect(await readFile(join(clone.folder, 'functions', file), 'utf8')).not.toMatch(/\bacme\b/)
  })
})

describe('a function of every kind, generated in an empty folder and its project', () => {
  let folder: ProjectFolder
  beforeAll(async () => {
    folder = await emptyClone()
    const here = join(folder.folder, 'project')
    await mkdir(here)
    const [first, ...others] = kindNames
    const asked = { here, folder: here, library: '1.2.3' }
    expect((await writeNewFunction(longNamed(first), asked)).place).toBe('empty')
    for (const kind of others)
      expect((await writeNewFunction(longNamed(kind), { here: join(here, 'functions') })).place).toBe(
        'project',
      )
    await linkLibrary(here)
  })
  afterAll(() => folder.remove())
  const project = () => join(folder.folder, 'project')

  test('passes the type check of the project', async () => {
    expect(await run(project(), bin('typescript/bin/tsc'))).toBe('')
  })

  test('passes its own tests with Node only', async () => {
    const { scripts } = JSON.parse(await readFile(join(project(), 'package.json'), 'utf8'))
    expect(scripts.test).toBe("node --test 'functions/**/*.test.ts'")
    const said = await run(project(), '--test', '--test-isolation=none', 'functions/**/*.test.ts')
    expect(said).toMatch(/# pass 5\d\n[\s\S]*# fail 0|pass 5\d\n[\s\S]*fail 0/)
  })

  test.each(['ControlPlane', 'BackupBucket'] as const)('may have a secondary function: %s', async kind => {
    const fn = { ...longNamed(kind), name: 'noted', role: 'secondary' } as const
    const { folder: own } = await writeNewFunction(fn, { here: project() })
    expect(own).toMatch(/-secondary$/)
    expect(await run(project(), bin('typescript/bin/tsc'))).toBe('')
    expect(await run(project(), '--test', '--test-isolation=none', `${own}/*.test.ts`)).toMatch(/pass 4\n/)
    expect(await readFile(join(project(), own, 'event.json'), 'utf8')).toContain('secondary:noted:')
    await rm(join(project(), own), { recursive: true })
  })

  test('may have references', async () => {
    const fn = { ...longNamed('Extension'), provider: 'elsewhere', name: 'noted', references: true }
    const { folder: own } = await writeNewFunction({ ...fn, type: 'noted' }, { here: project() })
    expect(await run(project(), bin('typescript/bin/tsc'))).toBe('')
    expect(await run(project(), '--test', '--test-isolation=none', `${own}/*.test.ts`)).toMatch(/pass 5\n/)
    await rm(join(project(), own), { recursive: true })
  })

  test('prints the test command for another function, and the command finds its tests', async () => {
    const said = await run(project(), join(root, 'cli/trellis.mjs'), 'new', 'another/extension', '--yes')
    const command = /^ {2}node (--test .*)$/m.exec(said)?.[1] ?? ''
    const tested = await promisify(execFile)('sh', ['-c', `"$NODE" ${command}`], {
      cwd: project(),
      env: { ...process.env, NODE: process.execPath },
    })
    expect(tested.stdout).toMatch(/pass [1-9]\d*\n[\s\S]*fail 0/)
    await rm(join(project(), 'functions/another'), { recursive: true })
  })

  test('imports only the library and adjacent files', async () => {
    for (const file of (await filesOf(join(project(), 'functions'))).filter(name => name.endsWith('.ts'))) {
      const text = await readFile(join(project(), 'functions', file), 'utf8')
      const from = [...text.matchAll(/ from '([^']+)'/g)].map(([, module = '']) => module)
      expect(from.filter(module => !/^(?:node:|\.\/|@trellis-gardener\/trellis)/.test(module))).toEqual([])
      expect(new Set(from).size).toBe(from.length)
    }
  })
})
