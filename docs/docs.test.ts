import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { trackedFiles } from '../test/structure/repository-files.ts'
import { alertsPage } from './alerts-page.ts'
import { errorsPage } from './errors-page.ts'
import { generatedPages, withGeneratedPart } from './generated-part.ts'
import { journalSchema } from './journal-schema.ts'
import { kindsTable } from './kinds-table.ts'
import { metricsPart } from './metrics-part.ts'
import { fieldsOf, findProviderConfigs, providerConfigsPage } from './provider-configs-page.ts'
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
  'test/bridge/README.md',
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

describe('the documents', () => {
  test('they list every setting in the schemas (make docs)', async () => {
    expect(read('settings.md')).toBe(settingsPage(await findFunctions(), await findWebhooks()))
  })

  test('they list every field of each provider config, with its effect (make docs)', async () => {
    const configs = await findProviderConfigs()
    expect(configs.length).toBeGreaterThan(8)
    for (const { kind, schema, fields } of configs) {
      const paths = fieldsOf(schema).map(({ path }) => path)
      // A missing field has to be described in docs/provider-configs/<provider>.ts.
      expect(Object.keys(fields).toSorted(), kind).toEqual(paths.toSorted())
    }
    expect(read('provider-configs.md')).toBe(providerConfigsPage(configs))
  })

  test('they name the types that have a function, as in the definitions (make docs)', async () => {
    const page = read('README.md', root)
    expect(page).toContain('| DNSRecord | `aws-route53`, `local`, `openstack-designate` |')
    expect(page).toBe(withGeneratedPart(page, kindsTable(await findFunctions())))
  })

  test('they show the webhook of the sample project, and lead to its test', () => {
    const folder = 'examples/authors/infrastructure/functions/acme/webhooks/controlplane'
    const page = read('webhooks.md')
    const [, webhook = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? []
    expect(webhook).toBe(read(`${folder}/webhook.ts`, root))
    expect(page).toContain(`](../${folder}/webhook.test.ts)`)
    expect(read(`${folder}/webhook.test.ts`, root)).toContain('sendReviewAgain(')
  })

  test('they list every error in the table (make docs)', () => {
    expect(read('errors.md')).toBe(errorsPage())
  })

  test('they describe every alert and every metric in the code (make docs)', () => {
    expect(read('alerts.md')).toBe(alertsPage())
    const page = read('monitoring.md')
    expect(page).toBe(withGeneratedPart(page, metricsPart()))
  })

  test('the published schema of a journal is that of the code (make docs)', () => {
    expect(read('journal.schema.json')).toBe(journalSchema())
  })

  test('the entries on the page about journals are entries of a journal', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(journalSchema()),
    )
    const lines = [...read('journal.md').matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual([undefined, 'object', 'event', 'step', 'gap'])
    expect(lines.map(line => [validate(line), validate.errors])).toEqual(lines.map(() => [true, null]))
  })

  test('the published schema of a journal accepts lines of a journal, and nothing else', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(journalSchema()),
    )
    const at = '2026-11-21T12:00:00.000Z'
    const lines = [
      { journal: 1, by: 'x', at },
      { type: 'gap', at, why: 'x' },
      { type: 'object', at, id: 'A b', gone: true },
    ]
    expect(lines.map(line => validate(line))).toEqual([true, true, true])
    expect([{ journal: 2, by: 'x', at }, { type: 'step', at }, {}].map(line => validate(line))).toEqual([
      false,
      false,
      false,
    ])
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

  test('and templates call the command so that npx never installs the foreign package of that name', () => {
    // The changelog tells what former versions wrote.
    const files = trackedFiles('*.md', '*.ts', '*.mjs', '*.yaml', '*Makefile').filter(
      file => !/^CHANGELOG\.md$|\.test\.ts$/.test(file),
    )
    const foreign = files.filter(file => /npx (?!--no )(?:-\S+ )*trellis\b/.test(read(file, root)))
    expect(foreign).toEqual([])
  })

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
