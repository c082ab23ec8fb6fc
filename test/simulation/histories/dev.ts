import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
const code = await loadSimulatedCode()
const all = (await Promise.all(process.argv[2]!.split(',').map(f => import(f)))).flatMap(m => Object.values(m).flat()) as any[]
for (const h of all) {
  if (process.argv[3] && !h.name.includes(process.argv[3])) continue
  const t = process.hrtime.bigint()
  const cpu = process.cpuUsage()
  try { const { virtualMs } = await h.run(code); const c = process.cpuUsage(cpu); console.log('ok  ', ((c.user+c.system)/1000).toFixed(0)+'ms', (virtualMs/60000).toFixed(1)+'min', h.name) }
  catch (e: any) { const c = process.cpuUsage(cpu); console.log('FAIL', ((c.user+c.system)/1000).toFixed(0)+'ms', h.name, '::', process.argv[3] ? e : e.message) }
}
process.exit()
