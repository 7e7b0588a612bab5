/** The playground of the demo. It reads the rows from memory, without a server. */
import { start } from './main.ts'
import { orderSubject } from './orders.ts'

start([orderSubject], (text) => import('./more.ts').then(({ ownSubject }) => ownSubject(text)))
