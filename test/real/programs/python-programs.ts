import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  cacheFolder,
  fingerprint,
  MissingProgramError,
  madeOnce,
  outputOf,
  run,
} from '../../../build/programs/programs.ts'

export interface PythonPrograms {
  /**
   * Path of an interpreter with boto3, moto (`-m moto.server`), aws-cli (`-m awscli`) and dnspython. The scripts in its
   * folder do not work, because they contain the path of the folder where they were created.
   */
  readonly python: string
}

export interface PinnedPackages {
  /** Names the folder in the cache. */
  readonly name: string
  /** `moto and boto3`: for people. */
  readonly said: string
  /** Path of a file with the versions of all packages. */
  readonly requirements: string
  /** Further arguments of `pip install`. */
  readonly pip: readonly string[]
}

/** Returns the interpreter of an environment with these packages, installed once in a separate folder. */
export const pythonWith = async (
  environment: NodeJS.ProcessEnv,
  { name, said, requirements, pip }: PinnedPackages,
): Promise<PythonPrograms> => {
  const missing = (why: string, options?: ErrorOptions) =>
    new MissingProgramError(
      `${said} cannot be installed, ${why}: install Python 3.11 or newer with its venv module (on Debian: apt-get install python3 python3-venv)`,
      options,
    )
  const about = 'import ensurepip, platform, sys, venv; print(platform.python_version(), sys.executable)'
  const python = await outputOf('python3', ['-c', about]).catch(cause => {
    throw missing('there is no Python, or not all of it', { cause })
  })
  const [version = ''] = python.split(' ')
  if (version.localeCompare('3.11', 'en', { numeric: true }) < 0) throw missing(`${version} is too old`)
  const pins = await readFile(requirements, 'utf8')
  const folder = join(cacheFolder(environment), name, fingerprint(python, pins))
  await madeOnce(folder, async into => {
    console.info(`installing ${said}, once`)
    await run('python3', ['-m', 'venv', into])
    await run(join(into, 'bin', 'python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
      ...[...pip, '--requirement', requirements],
    ])
  })
  return { python: join(folder, 'bin', 'python') }
}

/** Returns moto, boto3, aws-cli and dnspython in the versions of `python/requirements.txt`. */
export const pythonPrograms = (environment: NodeJS.ProcessEnv): Promise<PythonPrograms> =>
  pythonWith(environment, {
    name: 'python',
    said: 'moto, boto3, aws-cli and dnspython',
    requirements: join(import.meta.dirname, '..', 'python', 'requirements.txt'),
    pip: ['--only-binary=:all:'],
  })
