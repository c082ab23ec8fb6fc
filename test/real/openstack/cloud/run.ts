import { openstackPrograms } from '../../programs/openstack-programs.ts'
import { type CloudService, startCloud } from './start-cloud.ts'

/** Starts a cloud until its standard input ends: `node test/real/openstack/cloud/run.ts network,key-pairs`. */
const all = 'network,load-balancer,servers,dns,object-store'
const services = (process.argv[2] ?? all).split(',') as CloudService[]
const started = performance.now()
const cloud = await startCloud(await openstackPrograms(process.env), { services })
console.info(`${cloud.authUrl} after ${Math.round((performance.now() - started) / 1000)} s`)
process.stdin.resume()
process.stdin.once('end', async () => {
  if (process.env.DEBUG) console.info(cloud.output())
  await cloud.close()
})
