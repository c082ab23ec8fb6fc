import { describe, expect, test } from 'vitest'
import { imageProblems, isImageChanged } from './image-problems.ts'

const profile = {
  machineTypes: [{ name: 'm5.large' }, { name: 'a1.large' }],
  providerConfig: {
    machineImages: [
      { name: 'linux', versions: [{ version: '1.0.0', regions: [{ name: 'eu-west-1', ami: 'ami-1' }] }] },
    ],
  },
}
const image = { name: 'linux', version: '1.0.0' }
const pathsOf = (machine: object, region = 'eu-west-1') =>
  imageProblems(profile, region)({ machine }).map(({ path }) => path)

describe('a pool', () => {
  test.each<[string, object, string | undefined, readonly string[]]>([
    ['has an image', { type: 'm5.large', image }, undefined, []],
    ['names none', { type: 'm5.large' }, 'us-east-1', []],
    ['is of a machine type that there is not', { type: 'x', image }, undefined, ['machine.type']],
    ['is in another region', { type: 'm5.large', image }, 'us-east-1', ['machine.image']],
    [
      'is of another architecture',
      { type: 'm5.large', architecture: 'arm64', image },
      undefined,
      ['machine.image'],
    ],
    [
      'names another version',
      { type: 'm5.large', image: { ...image, version: '2' } },
      undefined,
      ['machine.image'],
    ],
  ])('an image problem that %s', (_, machine, region, paths) =>
    expect(pathsOf(machine, region)).toEqual(paths),
  )

  test('the message lists the machine types, sorted', () => {
    expect(imageProblems(profile, 'eu-west-1')({})[0]?.message).toBe(
      'expected a machine type of the cloud profile (a1.large, m5.large)',
    )
  })

  test('the message names a profile that cannot be read', () => {
    expect(imageProblems({ machineTypes: 1 }, 'eu-west-1')({})[0]?.kind).toBe('internal')
  })
})

test('an image is unchanged if only other fields change, or if no field is set', () => {
  const before = { machine: { type: 'm5.large', image, architecture: null } }
  expect(isImageChanged(before, { machine: { type: 'm5.large', image: { ...image } } })).toBe(false)
  expect(isImageChanged(before, { machine: { type: 'm5.large' } })).toBe(true)
  expect(isImageChanged(undefined, before)).toBe(true)
})

test('the CloudProfile is read once for all pools', () => {
  let reads = 0
  const counted = {
    get machineTypes() {
      reads++
      return [{ name: 'm5.large' }]
    },
  }
  const judge = imageProblems(counted, 'eu-west-1')
  const after = reads
  for (const type of ['m5.large', 'm5.xlarge']) judge({ machine: { type } })
  expect(reads).toBe(after)
})
