import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { packageRoot } from '../../build/project/package-root.ts'
import { libraryName, ownProject, type Project, readProject } from '../../build/project/project.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { manifestIn, upwards, usesLibrary } from '../new/find-place.ts'

/**
 * Returns the project of a command: the nearest folder upwards that depends on the library and has `functions/`, else
 * Trellis itself. Throws a `UsageError` if the project installs another copy of the library, because definitions of one
 * copy do not fit the other one.
 *
 * @param asked `--project`. Only this folder, which has to be a project
 */
export const findProject = async (here: string, asked?: string): Promise<Project> => {
  for (const folder of asked === undefined ? upwards(here) : [resolve(here, asked)]) {
    if (existsSync(folder) && realpathSync(folder) === realpathSync(packageRoot())) return ownProject()
    const manifest = await manifestIn(folder)
    if (manifest === undefined || !usesLibrary(manifest) || !existsSync(join(folder, 'functions'))) continue
    refuseOtherLibrary(folder)
    return readProject(folder)
  }
  if (asked === undefined) return ownProject()
  throw new UsageError(
    `--project ${asked}: not a project. It needs a package.json that depends on ${libraryName}, and a folder functions. Create one with: trellis new project NAME`,
  )
}

const refuseOtherLibrary = (root: string): void => {
  const installed = installedLibrary(root)
  if (installed === undefined)
    throw new UsageError(`${libraryName} is not installed in ${root}. Run "npm install" there`)
  const own = realpathSync(packageRoot())
  if (installed.folder !== own)
    throw new UsageError(
      `this command belongs to ${own}, but ${root} installs Trellis ${installed.version}. Run "npx --no trellis" in that folder`,
    )
}

const installedLibrary = (
  root: string,
): { readonly folder: string; readonly version: string } | undefined => {
  const require = createRequire(join(root, 'package.json'))
  try {
    const file = require.resolve(`${libraryName}/package.json`)
    const { version } = require(file) as { readonly version: string }
    return { folder: dirname(realpathSync(file)), version }
  } catch {
    return undefined
  }
}
