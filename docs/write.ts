import { readFile, writeFile } from 'node:fs/promises'
import { findFunctions } from '../functions/find-functions.ts'
import { generatedPages } from './generated-part.ts'
import { settingsPage } from './settings-page.ts'

await writeFile(new URL('settings.md', import.meta.url), settingsPage(await findFunctions()))

for (const page of await generatedPages()) {
  const file = new URL(page.file, import.meta.url)
  await writeFile(file, page.with(await readFile(file, 'utf8')))
}
