/** The playground of the demo: it needs no server. */
import { start } from './main.ts'
import { orderSubject } from './orders.ts'

start([orderSubject])
