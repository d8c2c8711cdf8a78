# MLE-STAR on Knative. `make help` lists what can be made.
SHELL := /bin/sh
EXAMPLE := src/examples/bird-strikes
RUN_ID ?= bird-strikes-$(shell date +%m%d-%H%M%S)
STORE ?= runs-store
MVN = JAVA_HOME="$$(src/build/find-jdk)" ./mvnw -B -ntp
JAR := target/mlestar-runner.jar
MINI := src/test/resources/mini
SOURCES := $(shell find src/main prompts -type f) pom.xml

.PHONY: help build run test bench manifests clean

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST)

build: $(JAR) ## build the program, ./mlestar

$(JAR): $(SOURCES)
	@src/build/find-jdk > /dev/null
	$(MVN) -q package -DskipTests
	@rm -rf target/mlestar.jsa target/archive
	@MLE_STAR_JAVA_OPTS=-XX:ArchiveClassesAtExit=target/mlestar.jsa ./mlestar run --task $(MINI)/task.yaml \
	  --model recorded:$(MINI)/answers --set outer_loop_steps=1 --store target/archive > /dev/null 2>&1 || true

run: $(JAR) ## run the whole pipeline on the bird-strikes example, with recorded answers, and grade it
	./mlestar run --task $(EXAMPLE)/task.yaml --config $(EXAMPLE)/config.yaml \
	  --model recorded:$(EXAMPLE)/answers --store $(STORE) --run-id $(RUN_ID)
	@"$${MLE_STAR_PYTHON:-python3}" $(EXAMPLE)/grade.py $(STORE)/runs/$(RUN_ID)/submission.csv

test: ## run every check: unit, engine, door, layout and end-to-end tests
	@src/build/find-jdk > /dev/null
	$(MVN) verify

bench: ## measure the engine; prints ratios of one run
	@src/build/find-jdk > /dev/null
	$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
	"$$(src/build/find-jdk)/bin/java" -Xmx512m -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
	  -cp "target/test-classes:target/classes:$$(cat target/test-classpath)" io.mlestar.run.Bench

manifests: ## write the manifests that are made from the list of functions, below k8s/ and prompts/
	@src/build/find-jdk > /dev/null
	$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
	"$$(src/build/find-jdk)/bin/java" -cp "target/test-classes:target/classes:$$(cat target/test-classpath)" io.mlestar.deploy.Manifests

clean: ## remove what was built
	rm -rf target
