import { describe, expect, test } from 'vitest'
import { findImage, type ImageSource, mergeImages, readOverwrite } from '../../../../shared/images/images.ts'
import { type ImageName, imageSettings, imageTable } from './image-table.ts'

const names = [...new Set(imageTable.map(({ name }) => name))]
const imagesFor = (version: string) =>
  Object.fromEntries(names.map(name => [name, findImage(imageTable, name, version).replace(/^.*\//, '')]))

describe('the table', () => {
  test('contains these images for 1.33', () => {
    expect(imagesFor('1.33.3')).toEqual({
      'cloud-controller-manager': 'cloud-controller-manager:v1.33.4',
      'machine-controller-manager-provider-aws': 'machine-controller-manager-provider-aws:v0.28.1',
      'ecr-credential-provider': 'ecr-credential-provider:v1.33.0',
      'aws-custom-route-controller': 'aws-custom-route-controller:v0.17.0',
      'aws-ipam-controller': 'aws-ipam-controller:v0.11.0',
      'aws-load-balancer-controller': 'aws-load-balancer-controller:v3.5.0',
      'csi-driver': 'aws-ebs-csi-driver:v1.63.1',
      'csi-driver-efs': 'aws-efs-csi-driver:v3.4.1',
      'csi-volume-modifier': 'volume-modifier-for-k8s:v0.9.3',
      'csi-provisioner': 'csi-provisioner:v5.3.0',
      'csi-resizer': 'csi-resizer:v1.14.0',
      'csi-attacher': 'csi-attacher:v4.12.0',
      'csi-snapshotter': 'csi-snapshotter:v8.6.0',
      'csi-snapshot-controller': 'snapshot-controller:v8.6.0',
      'csi-node-driver-registrar': 'csi-node-driver-registrar:v2.17.0',
      'csi-liveness-probe': 'livenessprobe:v2.19.0',
    })
  })

  test.each([
    ['1.32.0', 'v1.32.8', 'v5.3.0', 'v1.14.0', 'v1.32.0'],
    ['1.33.3', 'v1.33.4', 'v5.3.0', 'v1.14.0', 'v1.33.0'],
    ['1.34.2', 'v1.34.3', 'v6.3.0', 'v2.2.1', 'v1.34.1'],
    ['1.35.0', 'v1.35.2', 'v6.3.0', 'v2.2.1', 'v1.35.1'],
    ['1.36.1', 'v1.36.1', 'v6.3.0', 'v2.2.1', 'v1.36.0'],
  ])(
    'has for %s the images that depend on the version',
    (version, controller, provisioner, resizer, credentials) => {
      const images = imagesFor(version)
      expect(images['cloud-controller-manager']).toBe(`cloud-controller-manager:${controller}`)
      expect(images['ecr-credential-provider']).toBe(`ecr-credential-provider:${credentials}`)
      expect(images['csi-provisioner']).toBe(`csi-provisioner:${provisioner}`)
      expect(images['csi-resizer']).toBe(`csi-resizer:${resizer}`)
    },
  )
})

test('a kubelet newer than the table has the newest credential provider, and an older one has none', () => {
  expect(findImage(imageTable, 'ecr-credential-provider', '1.37.0')).toMatch(/:v1\.36\.0$/)
  expect(() => findImage(imageTable, 'ecr-credential-provider', '1.31.5')).toThrow(
    'could not find image "ecr-credential-provider" for Kubernetes 1.31.5',
  )
})

const overwritten = (text: string, name: ImageName, version = '1.33.3') =>
  findImage(mergeImages(imageTable, readOverwrite(text)), name, version)

describe('an overwrite', () => {
  test('of a repository retains the tag', () => {
    const text = 'images: [{ name: csi-driver, repository: mirror.example/csi }]'
    expect(overwritten(text, 'csi-driver')).toBe('mirror.example/csi:v1.63.1')
  })

  test('of a tag retains the repository', () => {
    const text = 'images: [{ name: csi-driver, tag: v9 }]'
    expect(overwritten(text, 'csi-driver')).toBe('registry.k8s.io/provider-aws/aws-ebs-csi-driver:v9')
  })

  test('of a digest is a digest reference', () => {
    const text = 'images: [{ name: csi-driver, tag: "sha256:00ff" }]'
    expect(overwritten(text, 'csi-driver')).toBe(
      'registry.k8s.io/provider-aws/aws-ebs-csi-driver@sha256:00ff',
    )
  })

  test('of a whole reference replaces both', () => {
    const text = 'images: [{ name: csi-driver, ref: "mirror.example/csi:v9" }]'
    expect(overwritten(text, 'csi-driver')).toBe('mirror.example/csi:v9')
  })

  test('applies to the versions that it names', () => {
    const text = 'images: [{ name: csi-resizer, tag: v9, targetVersion: ">= 1.34" }]'
    expect(overwritten(text, 'csi-resizer', '1.33.3')).toMatch(/:v1\.14\.0$/)
    expect(overwritten(text, 'csi-resizer', '1.34.0')).toMatch(/:v9$/)
  })

  test('of one exact version overrides a range', () => {
    const text = 'images: [{ name: csi-driver, repository: r, tag: v9, targetVersion: 1.33.3 }]'
    expect(overwritten(text, 'csi-driver', '1.33.3')).toBe('r:v9')
    expect(overwritten(text, 'csi-driver', '1.33.4')).toMatch(/:v1\.63\.1$/)
  })

  test('of one exact version overrides an earlier range', () => {
    const text = 'images: [{ name: csi-resizer, repository: r, tag: v9, targetVersion: 1.34.2 }]'
    expect(overwritten(text, 'csi-resizer', '1.34.2')).toBe('r:v9')
    expect(overwritten(text, 'csi-resizer', '1.34.3')).toMatch(/:v2\.2\.1$/)
  })

  test('of a repository overrides a whole reference', () => {
    const before = [{ name: 'csi-driver', ref: 'elsewhere.example/csi:v1' }]
    const after = mergeImages(before, [{ name: 'csi-driver', repository: 'r', tag: 'v9' }])
    expect(findImage(after, 'csi-driver', '1.33.3')).toBe('r:v9')
    const tagged = mergeImages(before, [{ name: 'csi-driver', tag: 'v9' }])
    expect(findImage(tagged, 'csi-driver', '1.33.3')).toBe('elsewhere.example/csi:v1')
  })

  test('adds a version that the table does not have', () => {
    const text = 'images: [{ name: cloud-controller-manager, repository: r, targetVersion: 1.37.x }]'
    expect(overwritten(text, 'cloud-controller-manager', '1.37.2')).toBe('r:v1.37.2')
  })

  test('without an original must contain the image location', () => {
    const text = 'images: [{ name: csi-driver, tag: v9, targetVersion: 1.33.3 }]'
    expect(() => overwritten(text, 'csi-driver')).toThrow(
      'image vector overwrite: csi-driver for 1.33.3: expected a repository or ref, because no default image matches',
    )
    expect(overwritten('images: [{ name: of-others, tag: v9 }]', 'csi-driver')).toMatch(/:v1\.63\.1$/)
  })

  test('for machines other than amd64 does not apply to amd64', () => {
    const text = 'images: [{ name: csi-driver, repository: r, tag: v9, architectures: [arm64] }]'
    expect(overwritten(text, 'csi-driver')).toMatch(/:v1\.63\.1$/)
    expect(overwritten(text.replace('arm64', 'amd64'), 'csi-driver')).toBe('r:v9')
  })

  test('does not change other images, and its unknown fields are ignored', () => {
    const text = `
images:
- name: remedy-controller-aws
  sourceRepository: github.com/gardener/remedy-controller
  repository: mirror.example/remedy
  tag: v1
  labels: [{ name: gardener.cloud/cve-categorisation, value: {} }]
- name: csi-driver
  resourceId: { name: csi-driver }
  tag: v9
`
    const images: readonly ImageSource[] = mergeImages(imageTable, readOverwrite(text))
    const changed = names.filter(
      name => findImage(images, name, '1.33.3') !== findImage(imageTable, name, '1.33.3'),
    )
    expect(changed).toEqual(['csi-driver'])
  })

  test('may be JSON', () => {
    expect(readOverwrite('{"images":[{"name":"csi-driver","tag":"v9"}]}')).toMatchObject([{ tag: 'v9' }])
  })

  test.each([
    ['nothing', '', 'image vector overwrite: expected an object, found null'],
    ['a list', '[]', 'image vector overwrite: expected an object, found a list'],
    ['no images', '{}', 'image vector overwrite: images: expected a list, found nothing'],
    [
      'an image without a name',
      'images: [{ tag: v1 }]',
      'image vector overwrite: images[0].name: expected a string, found nothing',
    ],
    [
      'a tag that is a number',
      'images: [{ name: a, tag: 1.2 }]',
      'image vector overwrite: images[0].tag: expected a string, found a number with a fraction',
    ],
    [
      'a range that is none',
      'images: [{ name: a, targetVersion: new }]',
      'image vector overwrite: images[0].targetVersion: expected a constraint such as 1.33.x or >= 1.34, found a string',
    ],
    [
      'a version of the seed',
      'images: [{ name: a, runtimeVersion: 1.30.x }]',
      'image vector overwrite: images[0].runtimeVersion: expected no runtimeVersion: Trellis does not know the version of the seed, found a string',
    ],
  ])('with %s is refused', (_, text, message) => {
    expect(() => readOverwrite(text)).toThrow(new Error(message))
  })

  test('that is not YAML is refused with one line', () => {
    expect(() => readOverwrite('images: [')).toThrow(/^image vector overwrite: [^\n]+$/)
  })
})

describe('the setting', () => {
  test('is empty by default', () => {
    expect(imageSettings.parse({})).toEqual({ imagevectorOverwrite: '' })
  })

  test('of a missing or invalid file is refused before anything starts', () => {
    const problem = (imagevectorOverwrite: string) =>
      imageSettings.safeParse({ imagevectorOverwrite }).error?.issues[0]?.message
    expect(problem('/nowhere/images.yaml')).toContain('ENOENT')
    expect(problem(import.meta.filename)).toMatch(/^image vector overwrite: /)
  })
})
