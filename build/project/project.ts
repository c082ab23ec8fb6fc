import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { type FoundGardenObjects, findGardenObjects } from '../../functions/find-garden-objects.ts'
import { type FoundWebhook, findWebhooks } from '../../functions/find-webhooks.ts'
import { moduleRoot, packageRoot } from './package-root.ts'

export const libraryName = '@trellis-gardener/trellis'

/**
 * A folder with functions, from which bundles, images, manifests and charts are made: a project of an author, or
 * Trellis itself.
 */
export interface Project {
  readonly root: string
  /** The folder with `<provider>/<kind>/function.ts` and `<provider>/webhooks/<name>/webhook.ts`. */
  readonly functions: string
  /** The name in its package.json without the scope: of the chart, and in image labels. */
  readonly name: string
  /** The version of charts and images. */
  readonly version: string
  /** An SPDX expression. Absent: its package.json has none. */
  readonly license?: string
}

export interface Definitions {
  readonly functions: readonly FoundFunction[]
  readonly webhooks: readonly FoundWebhook[]
  readonly gardenObjects: readonly FoundGardenObjects[]
}

/** Reads the package.json of a project. `functions`: the folder with its functions. */
export const readProject = async (root: string, functions = join(root, 'functions')): Promise<Project> => {
  const { name, version, license } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Partial<Record<'name' | 'version' | 'license', string>>
  return {
    root,
    functions,
    name: name?.split('/').at(-1) ?? 'functions',
    version: version ?? '0.0.0',
    ...(license !== undefined && { license }),
  }
}

/** Returns Trellis itself as a project: the functions of this repository or package. */
export const ownProject = (): Promise<Project> => readProject(packageRoot(), join(moduleRoot, 'functions'))

/** Throws a `DefinitionError` that names everything that is wrong, with file and line. */
export const definitionsOf = async ({ functions }: Pick<Project, 'functions'>): Promise<Definitions> => ({
  functions: await findFunctions(functions),
  webhooks: await findWebhooks(functions),
  gardenObjects: await findGardenObjects(functions),
})
