import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** mongo-java-server in memory, until it is killed: `java -cp 'jars/*' MongoJavaServer.java 127.0.0.1 47018`. */
class MongoJavaServer {
  public static void main(String[] args) throws InterruptedException {
    // It has what the driver needs, and says less: the driver asks for 4.4.
    MongoVersion version = new MongoVersion() {
      public List<Integer> getVersionArray() {
        return List.of(5, 0, 0);
      }

      public int getWireVersion() {
        return 13;
      }
    };
    new MongoServer(new MemoryBackend().version(version)).bind(args[0], Integer.parseInt(args[1]));
    Thread.currentThread().join();
  }
}
