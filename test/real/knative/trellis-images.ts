import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findPrograms,
  type ImageConfig,
  machinePlatform,
  makeImages,
  openLayout,
  unpackImage,
  writeBundles,
} from '../../../build/images/images.ts'
import { makeMachineBase } from '../../../build/images/testing/machine-base.ts'
import { cacheFolder, fingerprint, madeOnce, outputOf, retainUsed } from '../../../build/programs/programs.ts'
import type { ContainerImages } from './machine/container-images.ts'

/** An unpacked image of a program of Trellis. */
export interface TrellisImage {
  /** Its files. Read-only: they are shared with other images and other runs. */
  readonly root: string
  readonly config: ImageConfig
}

const source = join(import.meta.dirname, '../../..')
/** These folders and files decide the content of images. */
const ingredients =
  '{bridge,build/{images,library},deploy,functions,shared,terraform-free-infra}/**/*.{ts,json,yaml}'
const roots = ['package.json', 'package-lock.json', 'LICENSE']

/**
 * Builds an image of each program as a release does, and returns them unpacked, by program. Unchanged sources take a
 * moment; otherwise all programs are bundled, and only images with another bundle are built.
 */
export const trellisImages = async (
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Readonly<Record<string, TrellisImage>>> => {
  const cache = join(cacheFolder(environment), 'images')
  const base = await unpackedBase(cache)
  const sources = await madeOnce(
    join(cache, 'sources', fingerprint(base, await digestOf(source, [ingredients, ...roots]))),
    async into => {
      await mkdir(cache, { recursive: true })
      const scratch = await mkdtemp(join(cache, 'scratch-'))
      try {
        const folders = await builtImages({ cache, base, scratch })
        await writeFile(join(into, 'folders.json'), JSON.stringify(folders))
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
  )
  const folders = JSON.parse(await readFile(join(sources, 'folders.json'), 'utf8')) as Record<string, string>
  await retainUsed([base, sources, ...Object.values(folders)])
  const images = Object.entries(folders).map(
    async ([name, folder]): Promise<[string, TrellisImage]> => [
      name,
      {
        root: join(folder, 'root'),
        config: JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as ImageConfig,
      },
    ],
  )
  return Object.fromEntries(await Promise.all(images))
}

/** The registry of the images of `make manifests`. Tags of another registry would have to be resolved to digests. */
export const imageRegistry = 'registry.invalid'

/** Returns the images under the names of `make manifests`. `more`: environment of all their containers. */
export const containersOf = (
  images: Readonly<Record<string, TrellisImage>>,
  version: string,
  more: Readonly<Record<string, string>>,
): ContainerImages =>
  Object.fromEntries(
    Object.entries(images).map(([name, { root, config }]) => [
      `${imageRegistry}/trellis/${name}:${version}`,
      {
        root,
        command: [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])],
        environment: {
          ...Object.fromEntries((config.Env ?? []).map(text => text.split(/=(.*)/s).slice(0, 2))),
          ...more,
        },
        ...(config.User !== undefined && { user: config.User }),
        ...(config.WorkingDir !== undefined && { workingDirectory: config.WorkingDir }),
      },
    ]),
  )

/** Returns the folder with the layout of the base image, its `reference`, and its `root`. */
const unpackedBase = (cache: string): Promise<string> => {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).replaceAll(/ \(0x.*/g, '')
  return madeOnce(join(cache, 'base', fingerprint(process.version, libraries)), async into => {
    const reference = await makeMachineBase(join(into, 'layout'))
    await writeFile(join(into, 'digest'), reference.split('@')[1] ?? '')
    await unpackImage({ layout: join(into, 'layout'), tag: 'node', into: join(into, 'root') })
  })
}

interface Places {
  readonly cache: string
  readonly base: string
  readonly scratch: string
}

/** Returns the folder of each program's image. */
const builtImages = async ({ cache, base, scratch }: Places): Promise<Readonly<Record<string, string>>> => {
  const bundles = join(scratch, 'bundles')
  const layout = join(scratch, 'layout')
  const folders: Record<string, string> = {}
  const how = await digestOf(source, ['build/images/**/*.ts'])
  for await (const { name } of writeBundles(await findPrograms(), bundles))
    folders[name] = join(cache, name, fingerprint(base, how, await digestOf(join(bundles, name), ['**'])))
  const isBuilt = await Promise.all(
    Object.values(folders).map(folder =>
      readFile(join(folder, 'config.json')).then(
        () => true,
        () => false,
      ),
    ),
  )
  const programs = Object.keys(folders).filter((_, index) => !isBuilt[index])
  if (programs.length === 0) return folders
  const facts = {
    project: 'trellis',
    version: '0.0.0',
    created: '1970-01-01T00:00:00Z',
    base: `ocidir://${join(base, 'layout')}@${await readFile(join(base, 'digest'), 'utf8')}`,
  }
  await makeImages({ programs, bundles, layout, platform: machinePlatform(), facts })
  for (const program of programs)
    await madeOnce(folders[program] ?? '', async into => {
      const root = join(into, 'root')
      await outputOf('cp', ['--archive', '--link', join(base, 'root'), root])
      await unpackImage({ layout, tag: program, into: root, above: 'base' })
      const config = (await openLayout(layout).readConfiguration(program)).config ?? {}
      await writeFile(join(into, 'config.json'), JSON.stringify(config))
    })
  return folders
}

const digestOf = async (cwd: string, patterns: readonly string[]): Promise<string> => {
  const names: string[] = []
  for await (const entry of glob(patterns, { cwd, withFileTypes: true }))
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const name of names.toSorted()) hash.update(`${name.slice(cwd.length)}\0`).update(await readFile(name))
  return hash.digest('hex')
}
