import { readdirSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outputOf } from '../../build/programs/programs.ts'
import { type PackedLibrary, packLibrary } from './packed-library.ts'

const samples = fileURLToPath(new URL('../../examples/authors/', import.meta.url))

let packed: PackedLibrary
beforeAll(async () => {
  packed = await packLibrary()
})
afterAll(() => packed.remove())

describe.each(readdirSync(samples))('the project examples/authors/%s, with the packed library', sample => {
  const project = () => join(packed.folder, sample)
  const node = (...args: readonly string[]) => outputOf(process.execPath, args, { cwd: project() })
  beforeAll(async () => {
    await cp(join(samples, sample), project(), { recursive: true })
    await packed.install(project())
  })

  test('passes the type check', async () => {
    expect(await node('node_modules/typescript/bin/tsc')).toBe('')
  })

  test('passes its tests', async () => {
    const said = await node('--test', '--test-reporter=tap', 'functions/**/*.test.ts')
    expect(said).toMatch(/^# pass [5-9]$/m)
    expect(said).toMatch(/^# fail 0$/m)
  })
})

test('an author of DNS over HTTP writes at most 120 lines', async () => {
  const folder = `${samples}powerdns/functions/powerdns/dnsrecord/`
  const texts = await Promise.all(['function.ts', 'powerdns.ts'].map(name => readFile(folder + name, 'utf8')))
  expect(texts.join('').split('\n').length - 1).toBeLessThanOrEqual(120)
})
