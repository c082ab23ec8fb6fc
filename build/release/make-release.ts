import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { chartArchive } from '../../knative/chart/chart.ts'
import {
  checkRegistry,
  chosenPrograms,
  emptyFolder,
  findPrograms,
  imageReferences,
  isPushed,
  pushImages,
  shareRegistry,
  sourceFacts,
  writeBundles,
} from '../images/images.ts'
import { outputOf } from '../programs/programs.ts'
import { ownProject } from '../project/project.ts'
import type { ReleaseArguments } from './arguments.ts'
import { checksumFile, writeChecksums } from './artifacts/checksums.ts'
import { writeKrewPlugin } from './artifacts/krew-plugin.ts'
import { writeRegistrations } from './artifacts/registrations.ts'
import { type PushedChart, pushCharts, releaseCharts, writeCharts } from './artifacts/release-charts.ts'
import { releaseImages } from './artifacts/release-images.ts'
import { releaseManifests } from './artifacts/release-manifests.ts'
import { packageSbom, writeSboms } from './artifacts/release-sboms.ts'
import { releaseNotes } from './notes.ts'
import { cosignAt, findCosign } from './signatures/cosign.ts'
import { keylessSigner, keySigner } from './signatures/signer.ts'
import { checkSource } from './source/check-source.ts'

/** The repository of releases, unless another one is given. */
const publicSource = 'https://github.com/trellis-gardener/trellis'

/** Packs the library into a folder. Returns the name of its file. */
const packLibrary = async (root: string, folder: string): Promise<string> => {
  const before = new Set(await readdir(folder))
  await outputOf('npm', ['pack', '--pack-destination', folder], { cwd: root })
  const file = (await readdir(folder)).find(name => name.endsWith('.tgz') && !before.has(name))
  if (file === undefined) throw new Error(`npm pack wrote no file into ${folder}`)
  return file
}

/** The results of a release. */
export interface MadeRelease {
  readonly version: string
  readonly revision: string
  /** References with digests, by program. */
  readonly images: Readonly<Record<string, string>>
  readonly charts: readonly PushedChart[]
  /** The files in `out`. */
  readonly files: readonly string[]
  /** The arguments of `cosign verify`. */
  readonly verifyArgs: readonly string[]
}

/**
 * Builds, pushes and signs a release. Publishes nothing else: npm and the release page are the workflow's.
 *
 * @param report is called with each stage
 */
export const makeRelease = async (
  root: string,
  options: ReleaseArguments,
  environment: NodeJS.ProcessEnv,
  report: (stage: string) => void,
): Promise<MadeRelease> => {
  const { version, registry, out, plainHttp, base, sign } = options
  const { revision, changes } = await checkSource(root, version)
  const project = await ownProject()
  const programs = chosenPrograms(await findPrograms(project), options.only)
  const names = programs.map(({ name }) => name)
  const [first] = names
  await checkRegistry(`${registry}/${first}:${version}`, { plainHttp, environment })
  const charts = await releaseCharts(project, registry)
  await refuseReleased(`${registry}/charts/${charts.at(-1)?.name}:${version}`, { plainHttp, environment })
  const cosign = cosignAt(await findCosign(environment))

  const work = `${out}.work`
  for (const folder of [out, work]) await emptyFolder(folder)
  const signer =
    sign === 'keyless'
      ? keylessSigner(cosign, { plainHttp }, environment)
      : await keySigner(cosign, { work, out, plainHttp })
  try {
    report('npm package')
    const library = await packLibrary(root, out)
    const source = options.source ?? publicSource
    await writeKrewPlugin({ library: join(out, library), version, source, out, work })
    report(`bundles of ${names.length} programs`)
    const bundles = join(work, 'bundles')
    for await (const _ of writeBundles(programs, bundles, project, base));
    const facts = {
      ...sourceFacts(root, environment),
      ...{ project: project.name, version, base, revision },
      ...(project.license !== undefined && { license: project.license }),
      ...(options.source !== undefined && { source: options.source }),
    }
    report(`images for ${options.platforms.join(', ')}`)
    const { platforms, layouts } = options
    const { layout, digests } = await releaseImages({
      ...{ programs: names, bundles, work, platforms, layouts, facts },
      plainHttp: plainHttp && shareRegistry(base, `${registry}/any`),
    })
    report(`upload to ${registry}`)
    await pushImages({ layout, registry, tag: version, digests, plainHttp, environment })
    const images = imageReferences(registry, digests)
    await writeCharts(charts, out)
    const pushed = await pushCharts(charts, { folder: out, registry, version, plainHttp, environment })
    report('signatures and SBOMs')
    await signer.sign([...Object.values(images), ...pushed.map(({ reference }) => reference)])
    const sboms = await writeSboms(root, { bundles, programs: names, project, into: join(work, 'sboms') })
    for (const [program, file] of sboms)
      if (program !== packageSbom) await signer.attestSbom(images[program] ?? '', file)

    report('files of the release')
    await writeFile(join(out, 'images.json'), `${JSON.stringify(images, null, 2)}\n`)
    await writeRegistrations(project, { out, registry, charts: pushed })
    await writeArchive(out, `trellis-manifests-${version}`, await releaseManifests(root, images))
    await writeArchive(out, `trellis-sboms-${version}`, await filesOf(sboms))
    await writeFile(
      join(out, 'notes.md'),
      releaseNotes({
        version,
        revision,
        changes,
        images,
        charts: pushed,
        library,
        verifyArgs: signer.verifyArgs,
      }),
    )
    const files = await writeChecksums(out)
    await signer.signFile(join(out, checksumFile))
    return { version, revision, images, charts: pushed, files, verifyArgs: signer.verifyArgs }
  } finally {
    await signer.close()
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Refuses a version that is in the registry: those who verified it expect it to stay. The last chart is pushed after
 * everything else, so an attempt that failed before can be repeated.
 */
const refuseReleased = async (last: string, access: Parameters<typeof isPushed>[1]): Promise<void> => {
  if (await isPushed(last, access))
    throw new Error(`${last} exists already, and a released version does not change. Make a new version`)
}

const writeArchive = async (out: string, name: string, files: ReadonlyMap<string, string>): Promise<void> =>
  writeFile(join(out, `${name}.tgz`), await chartArchive(files, name))

const filesOf = async (files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> => {
  const texts = [...files.values()].map(async file => [basename(file), await readFile(file, 'utf8')] as const)
  return new Map(await Promise.all(texts))
}
