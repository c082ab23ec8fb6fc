import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { libraryName } from '../../build/project/project.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isDefinitionError } from '../../shared/runtime/runtime.ts'
import { findPlace, type NewPlace } from './find-place.ts'
import { functionFiles } from './function-files.ts'
import { libraryInside, librarySource, projectName } from './library-source.ts'
import { folderOf, type NewFunction } from './new-arguments.ts'
import { projectFiles } from './project-files.ts'
import { readTemplate, type TemplateFiles } from './read-template.ts'
import { writeWhole } from './write-whole.ts'

export interface NewFunctionOptions {
  /** The working directory. */
  readonly here: string
  /** The given folder. Default: `here`, or the project that contains it. */
  readonly folder?: string
  /** The argument for `npm install` of the library. Default: the source that this one was installed from. */
  readonly library?: string
}

export interface WrittenFunction {
  readonly place: NewPlace['kind']
  /** The root of the clone or the project. */
  readonly root: string
  /** The folder of the function, relative to the root. */
  readonly folder: string
  readonly files: readonly string[]
}

/**
 * Creates a function, and in an empty folder a project around it: all files or none. Throws a `UsageError` if the place
 * is unsuitable.
 */
export const writeNewFunction = async (
  fn: NewFunction,
  { here, folder: asked, library }: NewFunctionOptions,
): Promise<WrittenFunction> => {
  const place = await findPlace(here, asked)
  const { root } = place
  const folder = folderOf(fn)
  if (existsSync(join(root, folder)))
    throw new UsageError(
      `${relative(here, join(root, folder)) || folder} already exists; nothing was written`,
    )
  await checkAlone(fn, join(root, 'functions'))
  const template = await readTemplate(fn)
  const files = functionFiles(template, fn, place.kind === 'clone' ? 'clone' : 'project')
  if (place.kind === 'empty') {
    const { dependencies, devDependencies } = place.manifest ?? {}
    const installed = { ...devDependencies, ...dependencies }[libraryName]
    const source = library ?? installed ?? (await librarySource(root))
    const { dependency, files: packed } = await libraryInside(root, source)
    const beside = projectFiles(fn, {
      project: projectName(root),
      library: dependency,
      files,
      ...(place.manifest && { manifest: place.manifest }),
    })
    const whole = { ...beside, ...packed, ...prefixed(`${folder}/`, files) }
    await writeWhole(root, whole, undefined, ['package.json'])
    return { place: place.kind, root, folder, files: Object.keys(whole) }
  }
  await writeWhole(
    join(root, folder),
    files,
    place.kind === 'clone' ? inside => formatted(root, inside) : undefined,
  )
  return { place: place.kind, root, folder, files: Object.keys(prefixed(`${folder}/`, files)) }
}

const prefixed = (prefix: string, files: TemplateFiles): TemplateFiles =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}${name}`, text]))

/** Two functions with one name, or for the same objects, would do the same work twice. */
const checkAlone = async (
  { name, kind, type, classes, role }: NewFunction,
  functions: string,
): Promise<void> => {
  if (!existsSync(functions)) return
  const others = await findFunctions(functions).catch((error: unknown) => {
    // The commands that run other functions report their problems.
    if (isDefinitionError(error)) return []
    throw error
  })
  for (const other of others) {
    if (other.name === name)
      throw new UsageError(
        `the name ${name} is already used by ${relative(process.cwd(), other.file)}. Choose another one with --name`,
      )
    if (role !== undefined || other.secondary !== undefined) continue
    if (other.kind === kind && other.types.includes(type) && other.classes.some(one => classes.includes(one)))
      throw new UsageError(
        `${kind} of type ${type} already has a function, ${relative(process.cwd(), other.file)}. Choose another type with --type`,
      )
  }
}

/**
 * Formats the files as the linter of the clone requires: the length of names changes line breaks. Without the linter,
 * only the format differs.
 */
const formatted = async (root: string, folder: string): Promise<void> => {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { promise, resolve } = Promise.withResolvers<void>()
  execFile(process.execPath, [biome, 'check', '--write', folder], { cwd: root }, () => resolve())
  await promise
}
