import { describe, expect, test } from 'vitest'
import { cloudProfileProblems } from './cloud-profile-problems.ts'
import { configOf, lines, zoneA, zoneB } from './testing/problems.ts'

describe('zones of the CloudProfile', () => {
  const config = configOf({ zones: [zoneA, zoneB] })
  test.each<[string, string[] | undefined, string[], string[]]>([
    ['that it offers are accepted', ['eu-west-1a', 'eu-west-1b'], [], []],
    [
      'that it does not offer are refused',
      ['eu-west-1a'],
      [],
      ['networks.zones[1].name: expected one of the zones of the region (eu-west-1a), found "eu-west-1b"'],
    ],
    ['that it no longer offers are accepted in an existing shoot', ['eu-west-1a'], ['eu-west-1b'], []],
    ['are not checked if the region is unknown', undefined, [], []],
  ])('%s', (_, offered, there, expected) => {
    expect(lines(cloudProfileProblems(config, offered, ({ name }) => there.includes(name)))).toEqual(expected)
  })
})
