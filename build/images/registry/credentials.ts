import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../shared/text/message-of.ts'

/** `token`: an identity token, which the token server of the registry accepts instead of a password. */
export type RegistryCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }

interface DockerConfig {
  readonly auths?: Readonly<Record<string, { readonly auth?: string; readonly identitytoken?: string }>>
  readonly credHelpers?: Readonly<Record<string, string>>
  readonly credsStore?: string
}

/** Docker Hub's key in the file. */
const dockerHub = 'https://index.docker.io/v1/'

/**
 * Returns the credentials of `docker login`, `podman login`, `helm registry login` or `crane auth login` for a host:
 * those of Docker's `config.json`, or of the helper that it names
 * (https://docs.docker.com/reference/cli/docker/login/#credential-stores). Undefined: there are none.
 */
export const dockerCredentials = async (
  host: string,
  environment: NodeJS.ProcessEnv,
): Promise<RegistryCredentials | undefined> => {
  const file = join(environment.DOCKER_CONFIG ?? join(homedir(), '.docker'), 'config.json')
  const config = await readConfig(file)
  const key = host === 'docker.io' ? dockerHub : host
  const helper = config.credHelpers?.[key] ?? config.credsStore
  const auth = config.auths?.[key] ?? config.auths?.[`https://${key}`]
  if (auth?.identitytoken !== undefined) return { kind: 'token', token: auth.identitytoken }
  if (auth?.auth !== undefined) {
    const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(atob(auth.auth)) ?? []
    return { kind: 'password', user, password }
  }
  return helper === undefined ? undefined : ofHelper(helper, key)
}

const readConfig = async (file: string): Promise<DockerConfig> => {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return Object(JSON.parse(text)) as DockerConfig
  } catch (cause) {
    throw new Error(`${file} is not valid JSON (${messageOf(cause)}). Run docker login again`, { cause })
  }
}

/** https://github.com/docker/docker-credential-helpers: the host at stdin, JSON at stdout. */
const ofHelper = async (helper: string, key: string): Promise<RegistryCredentials | undefined> => {
  const program = `docker-credential-${helper}`
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = execFile(program, ['get'], (error, output) => {
    if (error === null) return resolve(output)
    // A helper without credentials for the host fails, with this text.
    if (output.includes('credentials not found')) return resolve('{}')
    reject(new Error(`${program} failed: ${messageOf(error).split('\n')[0]}`, { cause: error }))
  })
  child.stdin?.on('error', () => undefined).end(key)
  const { Username: user, Secret: secret } = JSON.parse(await promise) as Partial<
    Record<'Username' | 'Secret', string>
  >
  if (user === undefined || secret === undefined) return undefined
  return user === '<token>' ? { kind: 'token', token: secret } : { kind: 'password', user, password: secret }
}
