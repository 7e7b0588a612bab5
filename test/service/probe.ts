/** Loaded into the service before it: sends its memory on request, and ends it when its parent is gone. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// What is garbage is not counted: when V8 collects it, and how much there is then, is chance.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('message', () => {
  collect()
  process.send!(process.memoryUsage())
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// It is no reason to stay.
process.channel?.unref()
