/** One server in a process of its own. It tells its port, the time of the processor that it used, and the bytes that are allocated. */
import { servers } from './servers.mjs'
import { stores } from './stores.mjs'

const { name, store, place, isRestricted } = JSON.parse(process.argv[2])
const isFramework = !Object.hasOwn(servers, name)
const server = isFramework
  ? await (await import('../peers/nestjs.mjs')).serverOf(store, place, isRestricted)
  : await servers[name](await stores[store](place), isRestricted)

const answers = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  collect: () => globalThis.gc(),
  heap: () => process.memoryUsage().heapUsed,
}
process.on('message', (asked) => process.send({ answer: answers[asked]() }))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send({ answer: server.address().port }))
