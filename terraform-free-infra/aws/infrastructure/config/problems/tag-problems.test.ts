import { describe, expect, test } from 'vitest'
import { configProblems } from './config-problems.ts'
import { configOf, lines, type Parts } from './testing/problems.ts'

describe('ignored tags that must not be ignored are refused with the field and the expected value', () => {
  test.each<[string, Parts, string[]]>([
    [
      'ignored tags that are none, or not the user’s',
      { rest: { ignoreTags: { keys: ['', 'a*', 'Name', 'kubernetes.io/x', 'gardener.cloud/x', 'Names'] } } },
      [
        'ignoreTags.keys[0]: expected the key of a tag (letters, digits, spaces and _ + - = . : / @), found an empty string',
        'ignoreTags.keys[1]: expected the key of a tag (letters, digits, spaces and _ + - = . : / @), found "a*"',
        'ignoreTags.keys[2]: expected your own tag, found "Name": Name is reserved for the infrastructure',
        'ignoreTags.keys[3]: expected your own tag, found "kubernetes.io/x": kubernetes.io is reserved for the infrastructure',
        'ignoreTags.keys[4]: expected your own tag, found "gardener.cloud/x": gardener.cloud is reserved for the infrastructure',
      ],
    ],
    [
      'ignored prefixes that are not the user’s',
      { rest: { ignoreTags: { keyPrefixes: ['Na', 'kube', 'kubernetes.io/cluster', 'gardener.cloud'] } } },
      [
        'ignoreTags.keyPrefixes[0]: expected your own tag, found "Na": Name is reserved for the infrastructure',
        'ignoreTags.keyPrefixes[1]: expected your own tag, found "kube": kubernetes.io is reserved for the infrastructure',
        'ignoreTags.keyPrefixes[2]: expected your own tag, found "kubernetes.io/cluster": kubernetes.io is reserved for the infrastructure',
        'ignoreTags.keyPrefixes[3]: expected your own tag, found "gardener.cloud": gardener.cloud is reserved for the infrastructure',
      ],
    ],
  ])('%s', (_, parts, expected) => {
    // Applies all rules: a config that breaks one rule breaks no other.
    expect(lines(configProblems(configOf(parts), 'admission'))).toEqual(expected)
  })
})
