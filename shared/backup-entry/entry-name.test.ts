import { expect, test } from 'vitest'
import { parseEntryName } from './entry-name.ts'

test.each([
  ['shoot--foo--bar--5a3b-77', 'shoot--foo--bar', 'shoot--foo--bar--5a3b-77/', 'etcd-backup'],
  ['source-shoot--foo--bar--5a3b-77', 'shoot--foo--bar', 'shoot--foo--bar--5a3b-77/', 'source-etcd-backup'],
  ['shoot-garden-x--uid', 'shoot-garden-x', 'shoot-garden-x--uid/', 'etcd-backup'],
  ['sourced--uid', 'sourced', 'sourced--uid/', 'etcd-backup'],
  ['plain', 'plain', 'plain/', 'etcd-backup'],
])('%s belongs to %s', (name, technicalId, prefix, secretName) => {
  expect(parseEntryName(name)).toMatchObject({ technicalId, prefix, secretName })
})
