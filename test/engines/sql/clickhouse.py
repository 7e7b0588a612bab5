# Answers statements for clickhouse.ts: a line of JSON for each, in its order.
import json
import sys

from chdb import session

opened = session.Session()
for line in sys.stdin.buffer:
    asked = json.loads(line)
    try:
        text = opened.query(asked["text"], "JSONEachRow", params=asked["parameters"]).data()
        answer = {"rows": [json.loads(row) for row in text.split("\n") if row]}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
