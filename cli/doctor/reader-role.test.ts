import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readerRole } from './testing/reader-role.ts'

test('the page of operations shows the ClusterRole that trellis doctor needs', async () => {
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(page.split('## trellis doctor')[1] ?? '') ?? []
  expect(parse(shown)).toEqual(readerRole())
})

test('the role allows lists and access reviews, and nothing else', () => {
  const verbs = readerRole().rules?.flatMap(rule =>
    rule.verbs.map(verb => `${verb} ${rule.apiGroups?.join()}`),
  )
  expect(verbs?.filter(verb => !verb.startsWith('list '))).toEqual(['create authorization.k8s.io'])
})
