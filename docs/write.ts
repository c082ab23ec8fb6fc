import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { findFunctions } from '../functions/find-functions.ts'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { alertsPage } from './alerts-page.ts'
import { errorsPage } from './errors-page.ts'
import { generatedPages, withGeneratedPart } from './generated-part.ts'
import { journalSchema } from './journal-schema.ts'
import { kindsTable } from './kinds-table.ts'
import { metricsPart } from './metrics-part.ts'
import { findProviderConfigs, providerConfigsPage } from './provider-configs-page.ts'
import { readExports } from './read-exports.ts'
import { referencePages } from './reference-pages.ts'
import { settingsPage } from './settings-page.ts'

await writeFile(
  new URL('settings.md', import.meta.url),
  settingsPage(await findFunctions(), await findWebhooks()),
)
await writeFile(
  new URL('provider-configs.md', import.meta.url),
  providerConfigsPage(await findProviderConfigs()),
)
await writeFile(new URL('errors.md', import.meta.url), errorsPage())
await writeFile(new URL('alerts.md', import.meta.url), alertsPage())
const monitoring = new URL('monitoring.md', import.meta.url)
await writeFile(monitoring, withGeneratedPart(await readFile(monitoring, 'utf8'), metricsPart()))

await writeFile(new URL('journal.schema.json', import.meta.url), journalSchema())

for (const page of await generatedPages()) {
  const file = new URL(page.file, import.meta.url)
  await writeFile(file, page.with(await readFile(file, 'utf8')))
}

const readme = new URL('../README.md', import.meta.url)
await writeFile(readme, withGeneratedPart(await readFile(readme, 'utf8'), kindsTable(await findFunctions())))

await mkdir(new URL('reference/', import.meta.url), { recursive: true })
for (const [name, page] of Object.entries(referencePages(await readExports())))
  await writeFile(new URL(`reference/${name}`, import.meta.url), page)
