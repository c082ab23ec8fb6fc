import { execFileSync } from 'node:child_process'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { clientPackages, type StoredService, schemasText } from '../../sandbox/providers/aws/simulator/aws.ts'
import { buildPage } from '../console/build-page.ts'
import { bundledPackages, noticesOf } from '../images/images.ts'
import { copyThirdParties } from './copy-third-parties.ts'

/**
 * Builds the content of `npm pack` (docs/decisions/0036-a-library-beside-the-product.md): the sources as JavaScript
 * with declarations, in the same folders, so that modules find the files beside them.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const out = `${root}dist/package/`

await rm(out, { recursive: true, force: true })
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}build/library`], {
  stdio: 'inherit',
})

// tsc rewrites the imports of JavaScript but not those of declarations.
for await (const file of glob(`${out}**/*.d.ts`)) {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(/((?:from |import\()['"]\.\.?\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
}

// tsc does not rewrite the file names of programs that a module starts.
for await (const file of glob(`${out}**/*.js`)) {
  const text = await readFile(file, 'utf8')
  const rewritten = text.replaceAll(/(new URL\('[^']+)\.ts(', import\.meta\.url\))/g, '$1.js$2')
  if (rewritten !== text) await writeFile(file, rewritten)
}

// The page of the console, which users do not build.
const page = await buildPage()
await writeFile(`${out}cli/console/page.json`, JSON.stringify({ script: page.script, style: page.style }))

const notices = [
  await copyThirdParties(out, root),
  await noticesOf(
    'The page of the console contains code of these packages.',
    bundledPackages([page.metafile]).map(folder => `${root}cli/console/page/${folder}`),
  ),
]
await writeFile(`${out}THIRD-PARTY-NOTICES.md`, notices.join('\n'))

// The simulator's schemas are extracted from the AWS clients, because an installed package does not have all of them.
for (const service of Object.keys(clientPackages) as StoredService[])
  await writeFile(`${out}sandbox/providers/aws/simulator/schemas/${service}.jsonl`, schemasText(service))

await cp(`${root}build/images/base.json`, `${out}build/images/base.json`)
for (const folder of ['knative/chart', 'knative', 'examples']) {
  await cp(`${root}${folder}`, `${out}${folder}`, {
    recursive: true,
    // The projects of authors are whole only with their sources.
    filter: name => !name.endsWith('.ts') && name !== `${root}examples/authors`,
  })
}

// The templates of `trellis new` are sources, which the package does not contain.
const templates = execFileSync(process.execPath, [`${root}cli/new/print-templates.ts`])
await writeFile(`${out}cli/templates.json`, templates)

// The module type, and the mark by which bundlers leave out what a function does not use.
await writeFile(`${out}package.json`, `${JSON.stringify({ type: 'module', sideEffects: false }, null, 2)}\n`)
