import { join } from 'node:path'
import { type PythonPrograms, pythonWith } from './python-programs.ts'

/**
 * Returns an interpreter with the servers of OpenStack, in the versions of `openstack/python/requirements.txt`: about
 * 640 MB, and some minutes. One of their requirements is published only as source, which `pip` builds without a compiler.
 */
export const openstackPrograms = (environment: NodeJS.ProcessEnv): Promise<PythonPrograms> =>
  pythonWith(environment, {
    name: 'openstack',
    said: 'the servers of OpenStack',
    requirements: join(import.meta.dirname, '..', 'openstack', 'python', 'requirements.txt'),
    pip: [],
  })
