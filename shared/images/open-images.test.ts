import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findImage, imageSettingsFor, openImages } from './images.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-images-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const table = [{ name: 'agent', repository: 'registry.example/agent', tag: 'v1' }]

test('each table gets the operator’s overrides', async () => {
  const file = join(folder, 'images.yaml')
  await writeFile(file, 'images: [{ name: agent, tag: v2 }, { name: of-others, tag: v9 }]')
  expect(findImage(openImages(table, ''), 'agent', '1.33.3')).toBe('registry.example/agent:v1')
  expect(findImage(openImages(table, file), 'agent', '1.33.3')).toBe('registry.example/agent:v2')
})

test('a file that removes the location of an image is reported with the settings', async () => {
  const file = join(folder, 'nowhere.yaml')
  await writeFile(file, 'images: [{ name: agent, tag: v2, targetVersion: 1.33.x }]')
  const { error } = imageSettingsFor(table).safeParse({ imagevectorOverwrite: file })
  expect(error?.issues[0]?.message).toContain('agent for 1.33.x: expected a repository or ref')
})

test('an unusable file is refused with a message', async () => {
  expect(() => openImages(table, join(folder, 'none.yaml'))).toThrow(/^ENOENT.*none\.yaml/)
  const file = join(folder, 'empty.yaml')
  await writeFile(file, 'images: {}')
  expect(() => openImages(table, file)).toThrow(/^image vector overwrite: images: /)
})
