import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageTable } from './image-table.ts'
import { findImage, openImages } from './images.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-images-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fileWith = async (text: string): Promise<string> => {
  const file = join(folder, 'images.yaml')
  await writeFile(file, text)
  return file
}

test('without a file the images are the built-in ones', () => {
  expect(openImages('')).toBe(imageTable)
})

test('the images of the file override the built-in ones', async () => {
  const images = openImages(await fileWith('images: [{ name: csi-driver, ref: "mirror.example/csi:v9" }]'))
  expect(findImage(images, 'csi-driver', '1.33.3')).toBe('mirror.example/csi:v9')
})

test('an unusable file is refused with a message', async () => {
  expect(() => openImages(join(folder, 'none.yaml'))).toThrow(/^ENOENT.*none\.yaml/)
  const file = await fileWith('images: {}')
  expect(() => openImages(file)).toThrow(/^image vector overwrite: images: /)
})
