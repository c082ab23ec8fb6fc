import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'
import { packageRoot } from '../../project/package-root.ts'
import { ownProject, type Project } from '../../project/project.ts'
import { bundledPackages } from '../contents/bundled-packages.ts'
import { noticesOf } from '../contents/notice-of.ts'
import { sbomOf } from '../contents/sbom-of.ts'
import { funcPackage, funcYaml } from '../func/func-yaml.ts'
import { type BundleSource, besideFiles, besideOf, bundle } from './bundle.ts'
import type { Program } from './programs.ts'

/** The entry file of a process, in the folder of its program. */
export const mainFile = 'main.cjs'

/** The folder with the programs that a program starts. */
export const startedFolder = 'programs'

const kubeconfigFile = 'kubeconfig.cjs'
const otlpFile = 'otlp.cjs'

/** The license texts that have to accompany a program. */
const noticesFile = 'THIRD-PARTY-NOTICES.md'
/** The contents of a program, as CycloneDX. */
const sbomFile = 'sbom.cdx.json'

export interface WrittenBundle {
  readonly name: string
  /** The executable files in the folder of the program, with sizes in bytes. */
  readonly files: readonly { readonly file: string; readonly bytes: number }[]
}

/**
 * Writes a folder for each program below `into`, with everything in its image besides Node. Throws a `BundleError` for
 * sources that cannot be bundled.
 *
 * @param project default: Trellis itself
 * @param base the base of the images, for their lists of contents
 */
export async function* writeBundles(
  programs: readonly Program[],
  into: string,
  project?: Project,
  base?: string,
): AsyncGenerator<WrittenBundle> {
  const { root, version, license, name: projectName } = project ?? (await ownProject())
  // Trellis passes on its packages to everybody; an author decides about those of a project.
  const licenses = root === packageRoot() ? 'known' : 'any'
  const write = bundleWriter(root)
  for (const { name, source, definition, starts = [] } of programs) {
    const folder = join(into, name)
    const own = await write(source, folder)
    const started = await Promise.all(starts.map(program => startedProgram(write, program, folder)))
    const written = [own, ...started]
    const packages = bundledPackages(written.flatMap(({ metafiles }) => metafiles)).map(path =>
      join(root, path),
    )
    const all = written.flatMap(({ files }) => files)
    const about = `${all.map(file => `\`${file}\``).join(', ')} contain these packages, besides ${projectName} itself.`
    await writeFile(join(folder, noticesFile), await noticesOf(about, packages, licenses))
    await writeFile(
      join(folder, sbomFile),
      await sbomOf({ project: projectName, name, version, license, packages, base }),
    )
    if (existsSync(join(root, 'LICENSE'))) await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    if (definition !== undefined) {
      const func = { definition, version, license, broker: 'default' }
      await writeFile(join(folder, 'func.yaml'), funcYaml(func))
      await writeFile(join(folder, 'package.json'), funcPackage(func))
    }
    const files = all.map(async file => ({ file, bytes: (await stat(join(folder, file))).size }))
    yield { name, files: await Promise.all(files) }
  }
}

interface WrittenProgram {
  readonly metafiles: readonly Metafile[]
  /** Paths in the folder of the image's program. */
  readonly files: readonly string[]
}

type WriteBundle = ReturnType<typeof bundleWriter>

/** Writes the files of a program. Copies files that it has already written elsewhere. */
const bundleWriter = (root: string) => {
  const made = new Map<BundleSource | string, { readonly path: string; readonly metafile: Metafile }>()
  const ensure = async (key: BundleSource | string, source: BundleSource, path: string) => {
    const first = made.get(key)
    if (first === undefined) {
      const metafile = await bundle({ source, out: path, root })
      made.set(key, { path, metafile })
      return metafile
    }
    await mkdir(dirname(path), { recursive: true })
    await copyFile(first.path, path)
    return first.metafile
  }
  return async (
    source: BundleSource,
    folder: string,
    isWanted: (file: string) => boolean = () => true,
  ): Promise<WrittenProgram> => {
    const main = await ensure(source, source, join(folder, mainFile))
    const beside = besideOf(main).filter(isWanted)
    const metafiles = [main]
    for (const file of beside)
      metafiles.push(await ensure(file, { entryPoints: [besideFiles[file]] }, join(folder, file)))
    return { metafiles, files: [mainFile, ...beside] }
  }
}

/** Writes a program into the folder of the one that starts it. They share the reader of kubeconfigs by a link. */
const startedProgram = async (
  write: WriteBundle,
  { name, source }: Pick<Program, 'name' | 'source'>,
  folder: string,
): Promise<WrittenProgram> => {
  const own = join(folder, startedFolder, name)
  const { metafiles, files } = await write(source, own, file => file === otlpFile)
  await rm(join(own, kubeconfigFile), { force: true })
  await symlink(join('../..', kubeconfigFile), join(own, kubeconfigFile))
  return { metafiles, files: files.map(file => join(startedFolder, name, file)) }
}
