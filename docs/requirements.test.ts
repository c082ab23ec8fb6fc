import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { trackedFiles } from '../test/structure/repository-files.ts'

/** The rows that no test proves, by page and requirement. A change that meets one moves it from here to its test there. */
const notMet: Readonly<Record<string, string>> = {
  'provider-local: Check ManagedResources of ControlPlane and Worker': 'gardenlet checks them itself',
  'shoot-webhooks: Merge into seed webhooks when self-hosted': 'self-hosted shoots have none',
  'validation-guidelines-for-extensions: Refuse duplicate fields': 'left to the API server',
}

/** The pages of Gardener v1.147 that require something of an extension. overview and static-manifests do not. */
const gardenersPages = [
  'admission',
  'ca-rotation',
  'cluster',
  'controlplane-webhooks',
  'conventions',
  'force-deletion',
  'garden-api-access',
  'healthcheck-library',
  'heartbeat',
  'logging-and-monitoring',
  'managedresources',
  'migration',
  'project-roles',
  'provider-local',
  'reconcile-trigger',
  'referenced-resources',
  'registration',
  'resources/backupbucket',
  'resources/backupentry',
  'resources/bastion',
  'resources/containerruntime',
  'resources/controlplane',
  'resources/dnsrecord',
  'resources/extension',
  'resources/infrastructure',
  'resources/network',
  'resources/operatingsystemconfig',
  'resources/selfhostedshootexposure',
  'resources/worker',
  'shoot-health-status-conditions',
  'shoot-maintenance',
  'shoot-webhooks',
  'validation-guidelines-for-extensions',
]

const page = readFileSync(new URL('contract/requirements.md', import.meta.url), 'utf8')
const files = new Set(trackedFiles('*'))
const folders = new Set(
  [...files].flatMap(file => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))),
)

const gardenersLink =
  /^\*\*\[[\w -]+\]\(https:\/\/github\.com\/gardener\/gardener\/blob\/v1\.147\.0\/docs\/extensions\/([a-z/-]+)\.md(?:#[a-z0-9-]+)?\)\*\*$/

interface Row {
  readonly page: string
  readonly requirement: string
  readonly where: string
  readonly test: string
}

/** Returns the rows of all tables, and what is wrong with them. */
const readTable = (text: string): { readonly rows: readonly Row[]; readonly problems: readonly string[] } => {
  const rows: Row[] = []
  const problems: string[] = []
  let of: string | undefined
  const lines = text
    .split('\n')
    .filter(line => line.startsWith('|') && !/^\|(?:-+\||requirement\|)/.test(line))
  for (const line of lines) {
    const [first, ...cells] = line.split('|')
    const [requirement = '', where = '', proof = ''] = cells
    if (first !== '' || cells.length !== 4 || cells[3] !== '') problems.push(`not three cells: ${line}`)
    else if (requirement.startsWith('**')) {
      of = gardenersLink.exec(requirement)?.[1]
      if (of === undefined || `${where}${proof}` !== '') problems.push(`not a page of Gardener: ${line}`)
    } else if (of === undefined) problems.push(`below no page: ${line}`)
    else rows.push({ page: of, requirement, where, test: proof })
  }
  return { rows, problems }
}

const named = ({ page, requirement }: Row): string => `${page}: ${requirement}`
const pathIn = (cell: string): string | undefined => /^`([\w./-]+)`$/.exec(cell)?.[1]

/** Returns what is wrong with a row. */
const problemsOf = (row: Row): readonly string[] => {
  const say = (problem: string) => [`${named(row)}: ${problem}`]
  if (row.requirement.split(/\s+/).filter(Boolean).length > 12) return say('more than 12 words')
  const reason = /^not met: (.+)$/.exec(row.where)?.[1]
  if (reason !== undefined) {
    if (row.test !== '') return say('not met, but it has a test')
    return notMet[named(row)] === reason ? [] : say('no test, and not named here with this reason')
  }
  const [where, proof] = [pathIn(row.where), pathIn(row.test)]
  if (where === undefined || !(files.has(where) || folders.has(where))) return say(`there is no ${row.where}`)
  if (proof === undefined) return say('no test')
  if (!files.has(proof)) return say(`there is no ${proof}`)
  return /\.(?:test|real)\.ts$/.test(proof) ? [] : say(`${proof} is not a test`)
}

const table = readTable(page)

describe('the requirements of Gardener’s pages', () => {
  test('every row has a place that exists and a test, or is named here', () => {
    expect([...table.problems, ...table.rows.flatMap(problemsOf)]).toEqual([])
    expect(table.rows.length).toBeGreaterThan(90)
  })

  test('every row without a test is in the table, with the same reason', () => {
    const open = table.rows.filter(({ where }) => where.startsWith('not met: '))
    expect(Object.fromEntries(open.map(row => [named(row), row.where.slice('not met: '.length)]))).toEqual(
      notMet,
    )
  })

  test('each page of Gardener has a row, and each row is there once', () => {
    expect([...new Set(table.rows.map(row => row.page))].toSorted()).toEqual(gardenersPages)
    const names = table.rows.map(named)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  const row: Row = {
    page: 'heartbeat',
    requirement: 'Renew it',
    where: '`bridge/observers`',
    test: '`docs/requirements.test.ts`',
  }
  test.each<[string, Partial<Row>, string]>([
    ['without a test', { test: '' }, 'no test'],
    ['with a test that is missing', { test: '`none.test.ts`' }, 'there is no none.test.ts'],
    ['with a test that is none', { test: '`docs/README.md`' }, 'docs/README.md is not a test'],
    ['in a place that is missing', { where: '`none`' }, 'there is no `none`'],
    ['in no place', { where: '' }, 'there is no '],
    ['that is not met and not named', { where: 'not met: later', test: '' }, 'no test, and not named here'],
    ['that is not met, with a test', { where: 'not met: later' }, 'not met, but it has a test'],
    ['of many words', { requirement: 'a '.repeat(13) }, 'more than 12 words'],
  ])('a row %s is refused', (_, changed, problem) => {
    expect(problemsOf(row)).toEqual([])
    expect(problemsOf({ ...row, ...changed }).join()).toContain(problem)
  })

  test.each<[string, string]>([
    ['|Renew it|`bridge`|', 'not three cells'],
    ['|Renew it|`bridge`|`a.test.ts`|more|', 'not three cells'],
    ['|Renew it|`bridge`|`a.test.ts`', 'not three cells'],
    ['|Renew it|`bridge`|`a.test.ts`|', 'below no page'],
    ['|**[heartbeat](https://example.org/heartbeat.md)**|||', 'not a page of Gardener'],
  ])('the line %j is refused', (line, problem) => {
    expect(readTable(line).problems.join()).toContain(problem)
  })
})
