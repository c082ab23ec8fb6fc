import { expect, test } from 'vitest'
import { type CapableImage, chooseImage, type NamedImage, statusImagesOf } from './machine-images.ts'

interface TestImage extends CapableImage {
  readonly id: string
}
const image = (id: string, ...architecture: readonly string[]): TestImage => ({
  id,
  capabilities: { architecture },
})
const used = (of: TestImage): NamedImage<TestImage> => ({ name: 'linux', version: '1', image: of })

const choose = (offered: readonly TestImage[], inUse?: readonly NamedImage<TestImage>[]) => {
  const found = chooseImage({
    profile: {},
    wanted: {
      name: 'linux',
      version: '1',
      region: 'r',
      architecture: 'arm64',
      machine: { architecture: ['arm64'] },
    },
    offered,
    whyNone: () => 'nothing',
    shownAs: ({ id }) => id,
    inUse: () => inUse,
  })
  return found.ok ? found.image.id : found.message
}

test('the image of the cloud profile comes before one in use', () => {
  expect(choose([image('a', 'amd64'), image('b', 'arm64')], [used(image('c', 'arm64'))])).toBe('b')
  expect(choose([image('a', 'amd64')], [used(image('d', 'amd64')), used(image('c', 'arm64'))])).toBe('c')
})

test('the reason for no image is part of the error', () => {
  const said = 'no machine image found for image "linux" with version "1" and architecture "arm64"'
  expect(choose([], [])).toBe(`${said}: nothing`)
  expect(choose([])).toBe(
    'could not find machine image for linux/1/arm64/r neither in cloud profile nor in worker status: nothing',
  )
  expect(choose([image('a', 'amd64')], [])).toBe(
    `${said}: the cloud profile has a with map[architecture:[amd64]], but the machine has map[architecture:[arm64]]`,
  )
  expect(choose([image('a', 'arm64'), image('b', 'arm64')], [])).toBe(
    `${said}: a and b of the cloud profile match equally well`,
  )
})

test('the images of a status are distinct by name, version and architecture', () => {
  const images = [used(image('a', 'amd64')), used(image('b', 'amd64')), used(image('c', 'arm64'))]
  expect(statusImagesOf(images, undefined, ({ id }) => ({ id }))).toEqual([
    { name: 'linux', version: '1', id: 'a', architecture: 'amd64' },
    { name: 'linux', version: '1', id: 'c', architecture: 'arm64' },
  ])
})
