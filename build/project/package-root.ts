import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of Trellis' own modules: the root of a clone, or `dist/package` of the installed package. */
export const moduleRoot = fileURLToPath(new URL('../../', import.meta.url))

/** The root of Trellis' own package: of a clone, or of the installed package, which contains `dist/package`. */
export const packageRoot = (): string =>
  moduleRoot.endsWith('/dist/package/') ? resolve(moduleRoot, '../..') : resolve(moduleRoot)

/** Returns the path of a module of Trellis, which is named without its extension. A package has JavaScript. */
export const ownModule = (name: string): string =>
  `${moduleRoot}${name}${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`
