import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BesidePart, besideParts } from './beside.ts'
import { missingIn } from './missing.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-beside-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const put = async (part: BesidePart): Promise<void> => {
  for (const file of besideParts[part].files) {
    const path = join(folder, part, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '')
  }
}

test('a complete folder has nothing missing', async () => {
  await put('golden')
  await put('crds')
  expect(missingIn(folder)).toEqual({ skipped: [], lost: [] })
})

test('a missing folder is reported as skipped, and its files are lost', async () => {
  await put('crds')
  const { skipped, lost } = missingIn(folder)
  expect(skipped).toEqual([
    `comparisons with the original recordings of the Go extension: there is no ${join(folder, 'golden')}`,
  ])
  expect(lost).toContain('golden/infrastructure/n1.calls.json')
})

test('a missing single file is lost', async () => {
  await put('golden')
  await put('crds')
  await rm(join(folder, 'crds', 'extensions.gardener.cloud_workers.yaml'))
  expect(missingIn(folder)).toEqual({ skipped: [], lost: ['crds/extensions.gardener.cloud_workers.yaml'] })
})

test('without any folder beside the repository, nothing is lost and both parts are skipped', () => {
  const { skipped, lost } = missingIn(join(folder, 'nowhere'))
  expect(skipped).toHaveLength(2)
  expect(lost).toEqual([])
})
