// Verifies a log with golang.org/x/mod/sumdb, which shares no code with Daybook. Reads one JSON document and prints the
// number of proofs and checkpoints that are wrong.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Size  int64
	Index int64
	Root  []byte
	Leaf  []byte
	Proof [][]byte
}

type consistency struct {
	First      int64
	FirstRoot  []byte
	Second     int64
	SecondRoot []byte
	Proof      [][]byte
}

type evidence struct {
	Key           string
	Checkpoints   []string
	Inclusions    []inclusion
	Consistencies []consistency
}

func hashOf(bytes []byte) (hash tlog.Hash) {
	copy(hash[:], bytes)
	return hash
}

func hashesOf(list [][]byte) (hashes []tlog.Hash) {
	for _, bytes := range list {
		hashes = append(hashes, hashOf(bytes))
	}
	return hashes
}

func main() {
	var given evidence
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	verifier, err := note.NewVerifier(given.Key)
	if err != nil {
		panic(err)
	}
	wrong := 0
	for _, text := range given.Checkpoints {
		opened, err := note.Open([]byte(text), note.VerifierList(verifier))
		if err != nil || !strings.HasPrefix(opened.Text, verifier.Name()+"\n") {
			wrong++
		}
	}
	for _, one := range given.Inclusions {
		leaf := tlog.RecordHash(one.Leaf)
		if tlog.CheckRecord(hashesOf(one.Proof), one.Size, hashOf(one.Root), one.Index, leaf) != nil {
			wrong++
		}
	}
	for _, one := range given.Consistencies {
		if tlog.CheckTree(hashesOf(one.Proof), one.Second, hashOf(one.SecondRoot), one.First, hashOf(one.FirstRoot)) != nil {
			wrong++
		}
	}
	fmt.Println(wrong)
}
