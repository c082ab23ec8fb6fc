import type { BuildFailure, Message, Metafile } from 'esbuild'
import { messageOf } from '../../../shared/text/message-of.ts'

/** Sources that cannot become one file of JavaScript. The message has one line for each problem. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/** Packages that load a native module by a path that a bundler cannot see. */
const nativeLoaders = [
  'bindings',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  '@mapbox/node-pre-gyp',
  'prebuildify',
]

const noNatives =
  'a program is one file of JavaScript, so it cannot contain a native module. Replace the package with one without native code'

/** Turns a failure of esbuild into an error with one line for each problem: place, cause, and what to do. */
export const bundleFailure = (error: unknown): BundleError => {
  const { errors = [] } = Object(error) as Partial<BuildFailure>
  const lines = errors.length === 0 ? [messageOf(error)] : [...new Set(errors.map(lineOf))]
  return new BundleError(lines.join('\n'), { cause: error })
}

const lineOf = ({ text, location }: Message): string => {
  const place = location === null ? '' : `${location.file}:${location.line}: `
  const native = /No loader is configured for "\.node" files: (.+)$/.exec(text)?.[1]
  if (native !== undefined) return `${place}imports ${native}: ${noNatives}`
  const missing = /^Could not resolve "([^"]+)"$/.exec(text)?.[1]
  if (missing === undefined) return `${place}${text}`
  return missing.startsWith('.')
    ? `${place}the file ${missing} does not exist`
    : `${place}the package ${missing} is not installed. Run: npm install ${packageOf(missing)}`
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Returns why a bundle would not run, or undefined: it contains a package that loads native modules. */
export const nativeProblem = ({ inputs, outputs }: Metafile): string | undefined => {
  const used = new Set(Object.values(outputs).flatMap(output => Object.keys(output.inputs)))
  for (const name of nativeLoaders) {
    const isLoader = (path: string) => path.includes(`node_modules/${name}/`)
    const [importer] =
      Object.entries(inputs).filter(
        ([path, { imports }]) =>
          used.has(path) && !isLoader(path) && imports.some(each => isLoader(each.path)),
      )[0] ?? []
    if (importer !== undefined) return `${importer} loads a native module with ${name}: ${noNatives}`
  }
  return undefined
}

/** esbuild is a package that the project of an author installs: functions do not need it. */
export const missingEsbuild = (error: unknown): never => {
  if (Object(error).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new BundleError('esbuild is not installed. Run: npm install --save-dev --save-exact esbuild', {
    cause: error,
  })
}
