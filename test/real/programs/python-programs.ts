import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { MissingProgramError } from './part.ts'

export interface PythonPrograms {
  /**
   * Path of an interpreter that has boto3, moto (`-m moto.server`) and aws-cli (`-m awscli`). The scripts beside
   * it do not work: they hold the path at which the folder was made.
   */
  readonly python: string
}

const requirements = join(import.meta.dirname, '..', 'python', 'requirements.txt')

const howToGet =
  'install Python 3.10 or newer with its venv module (on Debian: apt-get install python3 python3-venv)'

/** moto, boto3 and aws-cli in the versions of `python/requirements.txt`, installed into a folder of their own once. */
export const pythonPrograms = async (environment: NodeJS.ProcessEnv): Promise<PythonPrograms> => {
  const about = 'import ensurepip, platform, sys, venv; print(sys.executable, platform.python_version())'
  const python = await outputOf('python3', ['-c', about]).catch(cause => {
    throw new MissingProgramError(`moto, boto3 and aws-cli cannot be installed: ${howToGet}`, { cause })
  })
  const pins = await readFile(requirements, 'utf8')
  const folder = join(cacheFolder(environment), 'python', fingerprint(python, pins))
  await madeOnce(folder, async into => {
    console.info('installing moto, boto3 and aws-cli, once')
    await run('python3', ['-m', 'venv', into])
    await run(join(into, 'bin', 'python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
      ...['--only-binary=:all:', '--requirement', requirements],
    ])
  })
  return { python: join(folder, 'bin', 'python') }
}
