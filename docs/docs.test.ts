import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { alertsPage } from './alerts-page.ts'
import { errorsPage } from './errors-page.ts'
import { generatedPages, withGeneratedPart } from './generated-part.ts'
import { kindsTable } from './kinds-table.ts'
import { metricsPart } from './metrics-part.ts'
import { settingsPage } from './settings-page.ts'

const folder = new URL('.', import.meta.url)
const root = new URL('..', import.meta.url)
const read = (name: string, base = folder) => readFileSync(new URL(name, base), 'utf8')

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  'examples/infrastructure/README.md',
  'sandbox/README.md',
  'test/bridge/README.md',
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

describe('the documents', () => {
  test('they list every setting in the schemas (make docs)', async () => {
    expect(read('settings.md')).toBe(settingsPage(await findFunctions(), await findWebhooks()))
  })

  test('they name the types that have a function, as in the definitions (make docs)', async () => {
    const page = read('README.md', root)
    expect(page).toContain('| DNSRecord | `aws-route53`, `local` |')
    expect(page).toBe(withGeneratedPart(page, kindsTable(await findFunctions())))
  })

  test('they list every error in the table (make docs)', () => {
    expect(read('errors.md')).toBe(errorsPage())
  })

  test('they describe every alert and every metric in the code (make docs)', () => {
    expect(read('alerts.md')).toBe(alertsPage())
    const page = read('monitoring.md')
    expect(page).toBe(withGeneratedPart(page, metricsPart()))
  })

  test.each([
    {
      what: 'the services of the AWS simulator',
      file: 'aws-simulator.md',
      holds: '| `ec2` | ec2Query, 2016-11-15 |',
    },
    {
      what: 'the permissions that an infrastructure needs',
      file: 'infrastructure.md',
      holds: 'CreateNatGateway',
    },
  ])('they list $what as in the code (make docs)', async ({ file, holds }) => {
    const page = read(file)
    expect(page).toContain(holds)
    expect(page).toBe((await generatedPages()).find(made => made.file === file)?.with(page))
  })

  test.each(pages)('%s has no broken links', page => {
    const text = read(page, root)
    const here = new URL(page, root)
    const missing = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter(target => !existsSync(new URL(target, here)))
    expect(missing).toEqual([])
  })

  test.each(pages.filter(page => !page.includes('/decisions/')))(
    '%s shows no command that needs Node 24 on the path',
    page => {
      expect(
        read(page, root).match(/(?<!npx )\bnode [\w/.-]+\.ts\b|(?<!npx )\bfunctions-framework --\S+/g),
      ).toBeNull()
    },
  )

  test('name tests that there are', () => {
    const page = read('test/bridge/README.md', root)
    const named = [...page.matchAll(/\]\(([^)]+)\)((?:,? "[^"]+")+)/g)].flatMap(
      ([, path = '', titles = '']) =>
        [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ path, title })),
    )
    expect(named.length).toBeGreaterThan(40)
    expect(
      named.filter(({ path, title }) => !read(path, new URL('test/bridge/', root)).includes(title)),
    ).toEqual([])
  })

  test('the README has less than 150 lines', () => {
    expect(read('README.md', root).split('\n').length).toBeLessThan(150)
  })

  test('all are listed, by their readers', () => {
    const index = read('README.md')
    const names = readdirSync(folder).filter(name => name.endsWith('.md') && name !== 'README.md')
    expect(names.filter(name => !index.includes(`](${name})`))).toEqual([])
  })

  test('every page of decisions is listed', () => {
    const index = read('decisions/README.md')
    const unlisted = readdirSync(new URL('decisions/', folder)).filter(
      name => name !== 'README.md' && !index.includes(`(${name})`),
    )
    expect(unlisted).toEqual([])
  })
})
