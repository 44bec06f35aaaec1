// Creates a shipment, follows what happens to it, and verifies a webhook.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	waybill "github.com/waybill-freight/waybill/packages/clients/go"
)

func main() {
	ctx := context.Background()
	client := waybill.New(waybill.Config{}) // WAYBILL_API_KEY, and WAYBILL_URL: default http://localhost:3000/v1

	tomorrow := time.Now().Add(24 * time.Hour).Format("2006-01-02")
	created, err := client.CreateShipment(ctx, waybill.ShipmentRequest{
		Type_:        waybill.KnownShipmentTypeFreight,
		Origin:       waybill.AddressRequest{Address: "9 Quarry Road", City: "Tacoma", State: waybill.Ptr("WA"), Zip: waybill.Ptr("98402")},
		Destination:  waybill.AddressRequest{Address: "310 Mill Lane", City: "Portland", State: waybill.Ptr("OR"), Zip: waybill.Ptr("97209")},
		PickupWindow: waybill.PickupWindowRequest{Start: tomorrow + "T08:00:00-08:00", End: tomorrow + "T12:00:00-08:00"},
		Notes:        waybill.Ptr("Dock 4."),
	})
	if err != nil {
		log.Fatal(err)
	}
	shipment, err := client.GetShipment(ctx, created.Id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shipment.TrackingNumber, "is", shipment.Status)

	_, err = client.GetProofOfDelivery(ctx, shipment.TrackingNumber)
	var failed *waybill.APIError
	if errors.As(err, &failed) && failed.Problem().Code == "proof_not_available" {
		fmt.Println("It has no proof yet.")
	}

	filter := waybill.ListShipmentsParams{Status: &[]waybill.KnownShipmentStatus{waybill.KnownShipmentStatusScheduled}}
	client.ListShipmentsItems(ctx, &filter)(func(each waybill.ListedShipment, err error) bool {
		fmt.Println(each.Id, err)
		return true // go on
	})

	client.FollowEvents(ctx, nil)(func(event waybill.Event, err error) bool {
		if err != nil {
			log.Fatal(err)
		}
		switch value := event.Value.(type) {
		case waybill.ShipmentCreatedEvent:
			fmt.Println(value.Data.Shipment.TrackingNumber, "was created")
			return value.Data.Shipment.Id != shipment.Id // go on until this one
		case map[string]any:
			fmt.Println("A later version of the service has the type", event.Type, value["data"])
		}
		return true
	})

	http.HandleFunc("/webhooks", receive)
	if len(os.Args) > 1 { // such as localhost:8080
		log.Fatal(http.ListenAndServe(os.Args[1], nil))
	}
}

func receive(response http.ResponseWriter, request *http.Request) {
	verifier := waybill.WebhookVerifier{Secrets: []string{os.Getenv("WEBHOOK_SECRET")}}
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil {
		return
	}
	event, err := verifier.Verify(body, request.Header)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Println(event.Id, event.Type)
}
