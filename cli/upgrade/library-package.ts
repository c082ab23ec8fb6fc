import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../build/project/package-root.ts'

/** The code of a version that can plan. */
export interface FoundVersion {
  /** `0.2.0 in ../trellis` */
  readonly title: string
  /** The module of its process for plans. */
  readonly program: string
  /** Removes temporary files. */
  readonly remove: () => void
}

interface LibraryPackage {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export const ownLibrary = (): LibraryPackage => packageIn(packageRoot()) ?? {}

/** Says how to get the code of a version. */
export const howToGet = (version: string): string =>
  `For a released version, run "npm install --prefix FOLDER ${ownLibrary().name}@${version}", and give FOLDER`

/** Says that a version cannot plan, and since which version it is possible. */
export const tooOld = (version: string): string =>
  `version ${version} cannot plan for an upgrade. The first version that can is the one that has "trellis upgrade" in its CHANGELOG.md`

/** Returns the program of plans in the folder of a package. A clone runs its sources: its build may be old. */
export const programIn = (root: string): string | undefined =>
  ['cli/plan/process/main.ts', 'dist/package/cli/plan/process/main.js']
    .map(file => join(root, file))
    .find(existsSync)

export const packageIn = (folder: string): LibraryPackage | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as LibraryPackage
  } catch {
    return undefined
  }
}

/** Returns the folder and the version of a package that a module can import. */
export const installed = (name: string, module: string) => {
  try {
    const file = findPackageJSON(name, module)
    const folder = file && dirname(file)
    const version = folder === undefined ? undefined : packageIn(folder)?.version
    return folder === undefined || version === undefined ? undefined : { folder, version }
  } catch {
    return undefined
  }
}
