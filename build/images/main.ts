import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageVersion } from '../../deploy/package-version.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { ArgumentError, help, readArguments } from './arguments.ts'
import { choosePrograms } from './bundle/choose-programs.ts'
import { findPrograms } from './bundle/programs.ts'
import { writeBundles } from './bundle/write-bundles.ts'
import { readBase } from './layout/read-base.ts'
import { findRegctl, regctlAt } from './layout/regctl.ts'
import { makeImages } from './make-images.ts'
import { imageReferences, pushImages } from './push/push-images.ts'
import { sourceFacts } from './source-facts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Writes bundles and an image of each. With --push, also pushes them to a registry: node build/images/main.ts --help
const main = async (): Promise<void> => {
  const version = await packageVersion()
  const options = readArguments(process.argv.slice(2), { base: await readBase(), version })
  if (options === 'help') {
    process.stdout.write(help)
    return
  }
  const regctl = regctlAt(
    await findRegctl(process.env),
    options.plainHttp ? [`reg=${options.registry?.split('/')[0]},tls=disabled`] : [],
  )
  const bundles = join(options.out, 'bundles')
  const layout = join(options.out, 'images')
  const programs = choosePrograms(await findPrograms(), options.only)
  for await (const { name } of writeBundles(programs, bundles)) process.stderr.write(`bundled ${name}\n`)
  const digests = await makeImages(regctl, {
    programs: programs.map(({ name }) => name),
    bundles,
    layout,
    platform: options.platform,
    facts: {
      version,
      base: options.base,
      ...sourceFacts(root, process.env),
      ...(options.source === undefined ? {} : { source: options.source }),
    },
  })
  const { registry } = options
  if (registry === undefined) {
    for (const [program, digest] of Object.entries(digests)) console.log(`${program}@${digest}`)
    return
  }
  if (options.push) await pushImages(regctl, { layout, registry, tag: options.tag, digests })
  const references = imageReferences(registry, digests)
  const file = join(options.out, 'images.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(references, null, 2)}\n`)
  for (const reference of Object.values(references)) console.log(reference)
  process.stderr.write(`${options.push ? 'pushed; ' : ''}${file} lists the images for the chart\n`)
}

await main().catch((error: unknown) => {
  process.stderr.write(`images: ${messageOf(error)}\n`)
  process.exitCode = error instanceof ArgumentError ? 2 : 1
})
