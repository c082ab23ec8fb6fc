import { execFileSync } from 'node:child_process'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readTemplates } from '../../cli/new/read-template.ts'
import { clientPackages, type StoredService, schemasText } from '../../sandbox/providers/aws/simulator/aws.ts'
import { copyThirdParties } from './copy-third-parties.ts'

/**
 * Makes what `npm pack` packs (docs/decisions/0036-a-library-beside-the-product.md): the sources as JavaScript with
 * their declarations, in the folders that they have here, so that what a module reads beside itself is found.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const out = `${root}dist/package/`

await rm(out, { recursive: true, force: true })
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}library`], {
  stdio: 'inherit',
})

// tsc rewrites the imports of JavaScript and leaves those of declarations as they are.
for await (const file of glob(`${out}**/*.d.ts`)) {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(/((?:from |import\()['"]\.\.?\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

// Nor does it rewrite the names of programs that a module starts.
for await (const file of glob(`${out}**/*.js`)) {
  const text = await readFile(file, 'utf8')
  const rewritten = text.replaceAll(/(new URL\('[^']+)\.ts(', import\.meta\.url\))/g, '$1.js$2')
  if (rewritten !== text) await writeFile(file, rewritten)
}

const notices = await copyThirdParties(out, root)
await writeFile(`${out}THIRD-PARTY-NOTICES.md`, notices)

// The simulator's schemas come out of the AWS clients, of which an installed package has not all.
for (const service of Object.keys(clientPackages) as StoredService[])
  await writeFile(`${out}sandbox/providers/aws/simulator/schemas/${service}.jsonl`, schemasText(service))

for (const folder of ['deploy/knative', 'examples']) {
  await cp(`${root}${folder}`, `${out}${folder}`, {
    recursive: true,
    filter: name => !name.endsWith('.ts'),
  })
}

// What `trellis new` writes are sources, which the package has none of.
await writeFile(`${out}cli/templates.json`, `${JSON.stringify(await readTemplates())}\n`)

const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { readonly version: string }
// The scope of the modules, and the version that the command line tells.
await writeFile(`${out}package.json`, `${JSON.stringify({ version, type: 'module' }, null, 2)}\n`)
